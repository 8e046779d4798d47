import { expect, test } from 'vitest';
import { makeApiKey } from '../api-key.ts';
import { credentialsOf, type SavedTest, savedTests, withoutCredentials } from './saved-test.ts';

const withHeaders = (headers: Record<string, string>): SavedTest => ({
  name: 'Valid order',
  request: { node: 'in', params: {}, headers, query: '', body: '' },
  expected: 201,
});

test.each([
  ['X-Webhook-Token', true],
  ['x-hub-signature-256', true],
  ['apiKey', true],
  ['api_key', true],
  ['accessToken', true],
  ['sig', true],
  ['signature', true],
  ['X-Amz-Signature', true],
  ['code', true],
  ['pwd', true],
  ['jwt', true],
  ['sas', true],
  ['otp', true],
  ['session', true],
  ['sessionId', true],
  ['x-functions-key', true],
  ['X-Line', false],
  ['author', false],
  ['tokens-left', false],
  ['monkey', false],
  ['error-code', false],
  ['session-timeout', false],
  ['design', false],
  ['passage', false],
])('a header or query parameter %s is saved without its value: %s', (name, isCredential) => {
  const typed = withHeaders({ [name]: 'opens it' });
  typed.request.query = `line=7&${name}=opens%20it&tag`;
  expect(credentialsOf(typed.request)).toEqual(isCredential ? [name] : []);
  const { headers, query } = withoutCredentials(typed).request;
  expect(headers).toEqual({ [name]: isCredential ? '' : 'opens it' });
  expect(query).toBe(isCredential ? `line=7&${name}=&tag` : typed.request.query);
});

test('an API key anywhere in a saved test is masked', () => {
  const { value } = makeApiKey((count) => new Uint8Array(count).fill(7));
  const typed = withHeaders({ 'X-Line': value });
  const request = { ...typed.request, params: { id: value }, query: `id=${value}`, body: `{"key":"${value}"}` };
  const saved = JSON.stringify(withoutCredentials({ ...typed, request }));
  expect(saved).not.toContain(value);
  expect(saved.match(/slc_[^_]+_…/g)).toHaveLength(4);
});

test.each(['Authorization', 'proxy-authorization', 'Cookie', 'X-API-Key'])(
  'a saved test contains no value of the header %s',
  (name) => {
    const typed = withHeaders({ [name]: 'pw', 'X-Line': '7' });
    const { error } = savedTests.safeParse([typed]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[0, 'request', 'headers', name]]);
    expect(JSON.stringify(error?.issues)).not.toContain('pw');
    expect(credentialsOf(typed.request)).toEqual([name]);
    const saved = withoutCredentials(typed);
    expect(saved).toEqual(withHeaders({ [name]: '', 'X-Line': '7' }));
    expect([savedTests.safeParse([saved]).success, credentialsOf(saved.request)]).toEqual([true, []]);
  },
);

test('credentials in a JSON body are saved without their values, and the rest as it was typed', () => {
  const typed = withHeaders({});
  typed.request.body =
    '{\n  "orderId": 12345678901234567890, "code": "A-17",\n  "login": { "pwd" : "a\\"b", "otp": 123456, "t\\u006fken": "x" },\n  "tokens": ["kept"] }';
  expect(credentialsOf(typed.request)).toEqual(['pwd', 'otp', 'token']);
  const { body } = withoutCredentials(typed).request;
  expect(body).toBe(
    '{\n  "orderId": 12345678901234567890, "code": "A-17",\n  "login": { "pwd" : "", "otp": "", "t\\u006fken": "" },\n  "tokens": ["kept"] }',
  );
  expect(credentialsOf({ ...typed.request, body })).toEqual([]);
});

test.each(['not JSON: token=1', '"', '"token": "cut', '"a'.repeat(20_000), '{"token":'])(
  'a body that is no JSON stays as it is',
  (body) => {
    const typed = withHeaders({});
    typed.request.body = body;
    expect(withoutCredentials(typed).request.body).toBe(body);
  },
);

test('a body of quotes after backslashes takes linear time', () => {
  const typed = withHeaders({});
  /** Milliseconds of the fastest of some runs: others may use the machine. */
  const fastest = (count: number): number => {
    typed.request.body = `"${String.raw`\"`.repeat(count)}`;
    const times = Array.from({ length: 7 }, () => {
      const from = performance.now();
      expect(withoutCredentials(typed).request.body.length).toBe(typed.request.body.length);
      expect(credentialsOf(typed.request)).toEqual([]);
      return performance.now() - from;
    });
    return Math.min(...times);
  };
  fastest(1_000);
  // Four times in linear time, 16 times in quadratic time.
  expect(fastest(32_000) / fastest(8_000)).toBeLessThan(10);
});
