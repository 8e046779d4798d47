import { expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { REASON_CHARS_MAX } from './limits.ts';
import { cut, reasonOf } from './reason.ts';

const LIBRARY =
  'The connection cannot be established with server opc.tcp://10.0.0.7:4840 .\nPlease check … Err = (connect ';

test.each([
  [new Error(`${LIBRARY}ECONNREFUSED 10.0.0.7:4840)`), 'plc:4840 refuses connections'],
  [new Error('connect EHOSTUNREACH'), 'plc:4840 cannot be reached'],
  [new Error('Transaction has timed out ( timeout = 8000 ms , request = ReadRequest)'), 'no answer from plc:4840'],
  [
    new Error(' ServiceResult is BadSessionIdInvalid (0x80250000) request was ReadRequest'),
    'plc:4840 answered BadSessionIdInvalid',
  ],
  [new Error('Cannot find USERNAME user token policy in end point description'), 'plc:4840 admits no user names'],
  [new Error('internal detail of a library'), 'plc:4840 does not speak OPC UA as expected'],
  ['no error at all', 'plc:4840 does not speak OPC UA as expected'],
  [new NodeError('target_refused', 'said already'), 'said already'],
])('%s is reported as a plain sentence', (error, text) => {
  expect(reasonOf(error, 'plc:4840')).toBe(text);
});

test('a server that does not trust the client is reported with the location of the client certificate', () => {
  const text = reasonOf(new Error('rejected by server: BadSecurityChecksFailed (0x80130000)'), 'plc:4840');
  expect(text).toMatch(/answered BadSecurityChecksFailed; .*opcua\/client-certificate\.pem/);
});

test('a text of the peer becomes one printable line of limited length', () => {
  expect(cut('A\u001b[31mB\r\nC\u202eD')).toBe('A [31mB C D');
  expect(cut('x'.repeat(REASON_CHARS_MAX + 10))).toHaveLength(REASON_CHARS_MAX + 1);
});
