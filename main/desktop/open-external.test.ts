import { expect, test } from 'vitest';
import { oneAtATime, openExternal } from './open-external.ts';

function door(answer: boolean) {
  const asked: string[] = [];
  const opened: string[] = [];
  return {
    asked,
    opened,
    confirm: async (address: string) => {
      asked.push(address);
      return answer;
    },
    open: async (address: string) => void opened.push(address),
  };
}

test('an https address is opened after a confirmation, exactly as it was shown', async () => {
  const yes = door(true);
  expect(await openExternal('https://EXAMPLE.org/a/../manual', yes)).toBe(true);
  expect(yes.asked).toEqual(['https://example.org/manual']);
  expect(yes.opened).toEqual(yes.asked);
});

test('nothing is opened without a confirmation', async () => {
  const no = door(false);
  expect(await openExternal('https://example.org/', no)).toBe(false);
  expect(no.opened).toEqual([]);
});

test('an address that is not https is dropped without a question', async () => {
  const yes = door(true);
  for (const target of ['http://example.org/', 'file:///etc/passwd', 'ms-msdt:/id', 'nonsense']) {
    expect(await openExternal(target, yes)).toBe(false);
  }
  expect(yes.asked).toEqual([]);
  expect(yes.opened).toEqual([]);
});

test('while a user is asked about one page, others are dropped, and later ones are asked about again', async () => {
  const said = Promise.withResolvers<boolean>();
  const asked: string[] = [];
  const door = oneAtATime({
    confirm: (address) => {
      asked.push(address);
      return said.promise;
    },
    open: async () => {},
  });
  const first = openExternal('https://example.org/1', door);
  expect(await openExternal('https://example.org/2', door)).toBe(false);
  said.resolve(true);
  expect(await first).toBe(true);
  expect(await openExternal('https://example.org/3', door)).toBe(true);
  expect(asked).toEqual(['https://example.org/1', 'https://example.org/3']);
});
