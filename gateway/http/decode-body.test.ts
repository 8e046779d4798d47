import { expect, test } from 'vitest';
import { decodeBody } from './decode-body.ts';

test('a refused charset is one cause, whatever its name: repeated refusals are counted by it', () => {
  const causes = ['x1', 'x2', 'utf-16'].map((name) => decodeBody(Buffer.from('a'), `text/plain; charset=${name}`));
  expect(new Set(causes.map((found) => JSON.stringify(found))).size).toBe(1);
  expect(causes[0]).toMatchObject({ ok: false, code: 'unsupported_media_type' });
});
