import { createDecipheriv, scryptSync } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { encrypt, SCRYPT } from './backup-cipher.ts';

const HEADER_BYTES = 28;
const TAG_BYTES = 16;

test('the key of a backup takes scrypt with N = 2^17, r = 8 and 128 MiB to derive', async () => {
  const plain = (async function* () {
    yield Buffer.from('a vault');
  })();
  const file = await buffer(encrypt('twelve chars', plain));
  const header = file.subarray(0, HEADER_BYTES);
  const key = scryptSync('twelve chars', header.subarray(-16), 32, { N: 2 ** 17, r: 8, p: 1, maxmem: SCRYPT.maxmem });
  // The first chunk is the last one.
  const nonce = Buffer.from('000000000000000000000001', 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(header).setAuthTag(file.subarray(-TAG_BYTES));
  const text = Buffer.concat([cipher.update(file.subarray(HEADER_BYTES, -TAG_BYTES)), cipher.final()]);
  expect(text.toString()).toBe('a vault');
});
