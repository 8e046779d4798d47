import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import { createLogger } from '#common/node/log.ts';

function logged(use: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  use(createLogger('part', (line) => (text += line)));
  return text;
}

test('a line is one JSON object with time, level, name, message and fields', () => {
  const text = logged((log) => log.warn('two\nlines', { port: 8090 }));
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trimEnd()).not.toContain('\n');
  expect(JSON.parse(text)).toMatchObject({ level: 'warn', name: 'part', message: 'two\nlines', port: 8090 });
});

test('an API key is masked in the message, in fields, in field names and in errors', () => {
  const { value, id } = makeApiKey(randomBytes);
  const secret = value.slice(17);
  const text = logged((log) =>
    log.error(`used ${value}`, {
      list: [{ at: value }],
      [value]: 1,
      cause: new Error(value, { cause: new Error(value) }),
    }),
  );
  expect(text).not.toContain(secret);
  expect(text).toContain(`slc_${id}_…`);
});

test('fields with the names of secrets lose their value at any depth', () => {
  const text = logged((log) =>
    log.info('x', { password: 'hunter2hunter2', a: { 'x-api-key': 'abc', dbSecret: 'def', Cookie: 'ghi' } }),
  );
  for (const secret of ['hunter2', 'abc', 'def', 'ghi']) expect(text).not.toContain(secret);
});

test('a field cannot replace the line’s own time, level, name or message', () => {
  const line = JSON.parse(
    logged((log) => log.info('real', { message: 'false', level: 'debug', name: 'other' })),
  ) as object;
  expect(line).toMatchObject({ message: 'real', level: 'info', name: 'part' });
});

test('values that JSON cannot represent and circular references do not throw', () => {
  const circle: Record<string, unknown> = { big: 1n, bytes: new Uint8Array(3), call: () => 1, date: new Date(NaN) };
  circle['self'] = circle;
  expect(() => JSON.parse(logged((log) => log.info('x', circle)))).not.toThrow();
});

test('a very long text is cut', () => {
  expect(logged((log) => log.info('x'.repeat(1e6), { y: 'y'.repeat(1e6) })).length).toBeLessThan(70_000);
});
