import { expect, test } from 'vitest';
import { curlCall } from './curl.ts';
import { callPlan, type CallPlan } from './plan.ts';
import { codesysCall } from './codesys.ts';
import { csharpCall } from './csharp.ts';
import { keyCommandOf, LANGUAGES } from './languages.ts';
import { lhttpCall } from './lhttp.ts';
import { nodeRedCall } from './node-red.ts';
import { pythonCall } from './python.ts';
import { twincatCall } from './twincat.ts';

const AWKWARD: CallPlan = {
  method: 'POST',
  url: "http://edge-7:8090/it's/$HOME/(a)&b;c",
  body: { "it's": 'a "quoted" $HOME\n`x` ü', list: [true, null, 1.5, []] },
  needsKey: true,
  ownCertificate: false,
};
const OPEN: CallPlan = {
  method: 'GET',
  url: 'http://edge-7:8090/health',
  body: undefined,
  needsKey: false,
  ownCertificate: false,
};

const at = (address: string) => ({ address, ownCertificate: false });
const route = (method: string, pattern: string, isPublic = false) => ({ method, pattern, isPublic });

test('an example call has sample values for parameters and the query, and a body if the method sends one', () => {
  expect(callPlan(route('POST', '/orders/:id/lines/:line_no'), at('http://e:1'), { a: 1 }, ['from day'])).toEqual({
    method: 'POST',
    url: 'http://e:1/orders/1/lines/1?from%20day=1',
    body: { a: 1 },
    needsKey: true,
    ownCertificate: false,
  });
  expect(callPlan(route('PUT', '/a'), at('')).body).toEqual({});
  expect(callPlan(route('GET', '/a'), at(''), { a: 1 }).body).toBeUndefined();
  expect(callPlan(route('*', '/a'), at('')).method).toBe('GET');
  expect(callPlan(route('*', '/a', true), at(''), {})).toMatchObject({ method: 'POST', needsKey: false });
  expect(callPlan(route('GET', '/a:b/c'), at('')).url).toBe('/a:b/c');
});

test('curl: single quotes keep everything, and a quote inside is escaped', () => {
  const line = curlCall(AWKWARD, '<API_KEY>');
  expect(line).toContain(String.raw`-X POST 'http://edge-7:8090/it'\''s/$HOME/(a)&b;c'`);
  expect(line).toContain("-H 'X-API-Key: <API_KEY>'");
  expect(line).toContain(String.raw`--data-raw '{"it'\''s":"a \"quoted\" $HOME\n`);
  expect(curlCall(OPEN, '<API_KEY>')).toBe("curl -i 'http://edge-7:8090/health'");
  expect(curlCall({ ...OPEN, url: 'http://[::1]:8090/a' }, '')).toContain('curl -i -g ');
});

test('Python: values use its syntax, and only needed modules are imported', () => {
  const code = pythonCall(AWKWARD, 35);
  expect(code).toContain('os.environ["SLUICE_API_KEY"]');
  expect(code).toContain('"list": [\n        True,\n        None,\n        1.5,\n        [],\n    ],');
  expect(code).toContain(String.raw`"it's": "a \"quoted\" $HOME\n` + '`x` ü"');
  const open = pythonCall(OPEN, 35);
  expect(open).not.toMatch(/import (?:os|json)|headers|API/);
});

test('C#: a verbatim string doubles its quotes, and the key comes from the environment', () => {
  const code = csharpCall(AWKWARD, 35);
  expect(code).toContain(`new HttpMethod(@"POST"), @"http://edge-7:8090/it's/$HOME/(a)&b;c")`);
  expect(code).toContain('Environment.GetEnvironmentVariable("SLUICE_API_KEY")');
  expect(code).toContain(String.raw`  ""it's"": ""a \""quoted\"" $HOME\n`);
  expect(csharpCall(OPEN, 35)).not.toMatch(/Content =|API|System\.Text/);
});

test('LHTTP: $ and quotes are escaped, and the body is ASCII in several strings', () => {
  const code = lhttpCall({ ...AWKWARD, body: { note: `ü${'x'.repeat(400)}` } });
  expect(code).toContain("#url := 'http://edge-7:8090/it$'s/$$HOME/(a)&b;c';");
  expect(code).toContain('"LHTTP_PostPut"');
  expect(code).toContain(String.raw`{"note":"\u00fc`);
  expect(code.match(/Strg_TO_Chars/g)).toHaveLength(3);
  expect(code).toContain(`#requestLength := ${JSON.stringify({ note: 'x'.repeat(400) }).length + 6};`);
  // A text in SCL ends at 254 characters.
  for (const [, inside = ''] of code.matchAll(/'((?:[^'$]|\$.)*)'/g)) expect(inside.length).toBeLessThanOrEqual(254);
  expect(lhttpCall(OPEN)).toContain('"LHTTP_Get"');
  expect(lhttpCall(OPEN)).not.toContain('X-API-Key');
  expect(lhttpCall({ ...AWKWARD, body: 'x'.repeat(5_000) })).toContain('request : Array[0..5001] of Char;');
  expect(lhttpCall({ ...AWKWARD, method: 'PATCH' })).toContain('no block for PATCH');
});

test('Node-RED: the flow has three wired nodes, and the key comes from the environment', () => {
  const [inject, request, debug] = JSON.parse(nodeRedCall(AWKWARD, 'Orders'));
  expect(inject).toMatchObject({ type: 'inject', payloadType: 'json', payload: JSON.stringify(AWKWARD.body) });
  expect(request).toMatchObject({ type: 'http request', method: 'POST', url: AWKWARD.url, paytoqs: 'ignore' });
  expect(request.headers[0]).toMatchObject({
    keyType: 'other',
    keyValue: 'X-API-Key',
    valueValue: '${SLUICE_API_KEY}',
  });
  expect([inject.wires, request.wires]).toEqual([[[request.id]], [[debug.id]]]);
  const [patching, patch] = JSON.parse(nodeRedCall({ ...AWKWARD, method: 'PATCH' }, 'Orders'));
  expect(patch.method).toBe('use');
  expect(patching.props).toContainEqual({ p: 'method', v: 'PATCH', vt: 'str' });
  expect(JSON.parse(nodeRedCall(OPEN, 'Health'))[1].headers).toEqual([]);
});

test('TwinCAT: the key is a variable, and the body is ASCII', () => {
  const code = twincatCall({ ...AWKWARD, url: 'https://edge-7/a?b=1', body: { note: 'ü$' } });
  expect(code).toContain("sHostName := 'edge-7', nHostPort := 443");
  expect(code).toContain("uri : STRING(6) := '/a?b=1';");
  expect(code).toContain(String.raw`:= '{"note":"\u00fc$$"}';`);
  expect(code).toContain("header.AddField('X-API-Key', apiKey, FALSE);");
  expect(code).toContain('HTTP_Post');
  expect(twincatCall(OPEN)).not.toMatch(/apiKey|body/);
});

test('CODESYS: the HTTP/1.1 request has correct lengths and texts', () => {
  const code = codesysCall({ ...AWKWARD, url: 'http://10.20.0.7:8090/a', body: { a: 'ü' } });
  expect(code).toContain("'POST /a HTTP/1.1$R$NHost: 10.20.0.7:8090$R$N");
  expect(code).toContain(`Content-Length: ${String.raw`{"a":"\u00fc"}`.length}$R$NX-API-Key: '`);
  expect(code).toContain("headEnd : STRING(4) := '$R$N$R$N';");
  expect(code).toContain('uiPort := 8090');
  const open = codesysCall(OPEN);
  expect(open).not.toMatch(/X-API-Key|apiKey|body/);
  expect(open).toContain("headEnd : STRING(2) := '$R$N';");
});

test('curl reads the key from a shell variable if none is given', () => {
  expect(curlCall({ ...OPEN, needsKey: true })).toContain('-H "X-API-Key: $SLUICE_API_KEY"');
});

test('no language has a key in its code, and those that read a variable have a command that prompts for it', () => {
  const withVariable = LANGUAGES.filter((language) => keyCommandOf(language) !== null);
  expect(withVariable).toEqual(['curl', 'python', 'csharp']);
  for (const language of withVariable) expect(keyCommandOf(language)).not.toContain('slc_');
});

test.each([
  ['C#', (plan: CallPlan) => csharpCall(plan, 35), 'certutil -addstore Root sluice.pem'],
  ['LHTTP', lhttpCall, 'Certificates of partner'],
  ['CODESYS', codesysCall, 'Trusted Certificates'],
  ['TwinCAT', twincatCall, String.raw`client.stTLS.sCA := 'C:\TwinCAT\3.1\Config\Certificates\sluice.pem';`],
] as const)('%s: says where to put the certificate of Sluice, only if the gateway uses it', (_name, code, place) => {
  const own = { ...OPEN, url: 'https://edge-7:8090/health', ownCertificate: true };
  expect(code(own)).toContain('sluice.pem');
  expect(code(own)).toContain(place);
  expect(code({ ...own, ownCertificate: false })).not.toContain('sluice.pem');
});
