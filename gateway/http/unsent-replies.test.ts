import { expect, test } from 'vitest';
import { REPLIES_BYTES_MAX } from './limits.ts';
import { type Reader, UnsentReplies } from './unsent-replies.ts';

const MIB = 1024 * 1024;
const SHARE = REPLIES_BYTES_MAX / 4;

interface Held extends Reader {
  readonly gone: boolean;
}

function reader(peer: string): Held {
  let gone = false;
  return {
    peer,
    get gone() {
      return gone;
    },
    cutOff() {
      gone = true;
    },
  };
}

test('when replies hold too much, the address with most loses the reply that has been unread longest', () => {
  const unsent = new UnsentReplies();
  const busy = [reader('10.0.0.1'), reader('10.0.0.1'), reader('10.0.0.1')];
  const [other, late] = [reader('10.0.0.2'), reader('10.0.0.3')];
  unsent.hold(other, SHARE);
  for (const one of busy) unsent.hold(one, SHARE);
  expect([other, ...busy].some(({ gone }) => gone)).toBe(false);
  unsent.hold(late, MIB);
  expect([other, late, ...busy].map(({ gone }) => gone)).toEqual([false, false, true, false, false]);
  expect(unsent.bytes).toBe(3 * SHARE + MIB);
});

test('a large reply may displace several, and one that is too large by itself is not held', () => {
  const unsent = new UnsentReplies();
  const small = [reader('10.0.0.1'), reader('10.0.0.1'), reader('10.0.0.1'), reader('10.0.0.1')];
  for (const one of small) unsent.hold(one, SHARE);
  const large = reader('10.0.0.2');
  unsent.hold(large, 2 * SHARE);
  expect(small.map(({ gone }) => gone)).toEqual([true, true, false, false]);
  const huge = reader('10.0.0.3');
  unsent.hold(huge, REPLIES_BYTES_MAX + 1);
  expect([huge.gone, large.gone, small[3]?.gone]).toEqual([true, false, false]);
});

test('a reply that was read or cut off stops counting, once', () => {
  const unsent = new UnsentReplies();
  const one = reader('10.0.0.1');
  unsent.hold(one, SHARE);
  unsent.release(one);
  unsent.release(one);
  expect(unsent.bytes).toBe(0);
  unsent.hold(one, REPLIES_BYTES_MAX + 1);
  unsent.release(one);
  expect([one.gone, unsent.bytes]).toEqual([true, 0]);
});

test('late reports about a dropped reply are ignored, and the next reply of its connection counts', () => {
  const unsent = new UnsentReplies();
  const cut = reader('10.0.0.1');
  unsent.hold(cut, REPLIES_BYTES_MAX + 1);
  expect(cut.gone).toBe(true);
  unsent.hold(cut, SHARE);
  expect(unsent.bytes).toBe(0);
  unsent.release(cut);
  unsent.hold(cut, SHARE);
  expect(unsent.bytes).toBe(SHARE);
});
