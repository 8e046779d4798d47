import { describe, expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { saveErrors } from '#common/model/save-check.ts';
import { faultsOf, messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { httpResponse } from './index.ts';

/** The three checks of a header: the save, the schema of the kind (check and start), and the node at each call. */
const saveFaults = (headers: unknown): string[] =>
  saveErrors(
    pipelineDefinition.parse({
      id: 'a',
      name: 'A',
      nodes: [{ id: 'n', kind: 'http-response', settings: { headers } }],
    }),
  ).map(({ path, message }) => `${path.replace('nodes.0.settings.', '')}: ${message}`);
const startFaults = (headers: unknown): string[] => faultsOf(httpResponse, { headers });

async function sent(headers: Record<string, string>, payload: object = {}) {
  const node = await nodeOf(httpResponse, { headers, body: 'b' });
  const run = testRun();
  await node.run(messageOf(payload), run);
  return run.replies[0];
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a']));
const noName = 'is not a header name';
const gateway = 'is written by the gateway';
const oneHop = 'belongs to one hop';
const chars = (told: string) => `expected printable Latin-1 characters outside of {{…}}; found ${told}`;
const noComma = 'expected one media type such as text/html, without a comma outside of quotes';
const oneType = 'expected one media type such as text/html: type/subtype, parameters after ";"';

describe('an invalid name is refused on saving and at start in the same way', () => {
  test.each([
    ['Set-Cookie', 'sets cookies'],
    ['set-cookie2', 'sets cookies'],
    ['Clear-Site-Data', 'acts on the whole host'],
    ['Strict-Transport-Security', 'acts on the whole host'],
    ['Alt-Svc', 'acts on the whole host'],
    ['Access-Control-Allow-Origin', 'is CORS, which the route decides'],
    ['access-control-anything', 'is CORS, which the route decides'],
    ['Content-Length', 'frames the reply'],
    ['Content-Encoding', 'frames the reply'],
    ['Transfer-Encoding', 'frames the reply'],
    ['Trailer', 'frames the reply'],
    ['Connection', oneHop],
    ['Keep-Alive', oneHop],
    ['Proxy-Authenticate', oneHop],
    ['Proxy-Authorization', oneHop],
    ['Proxy-Connection', oneHop],
    ['TE', oneHop],
    ['Upgrade', oneHop],
    ['Content-Security-Policy', gateway],
    ['Date', gateway],
    ['RateLimit', gateway],
    ['RateLimit-Policy', gateway],
    ['RateLimit-Reset', gateway],
    ['Retry-After', gateway],
    ['Vary', gateway],
    ['X-Content-Type-Options', gateway],
    ['X-Request-Id', gateway],
    ['X-API-Key', 'carries a key, and keys never leave'],
    ['bad name', noName],
    ['bad:name', noName],
    ['line\nbreak', noName],
    ['é', noName],
    ['', noName],
    ['x'.repeat(65), noName],
  ])('%j %s', (name, reason) => {
    const told = name.slice(0, 60);
    for (const faults of [saveFaults({ [name]: 'a' }), startFaults({ [name]: 'a' })]) {
      expect(faults).toEqual([
        expect.stringContaining(`${told === '' ? 'headers' : `headers.${told}`}: the header "${told}" ${reason}`),
      ]);
      expect(faults[0]).toContain('; expected another name');
    }
  });
});

describe('invalid headers are refused on saving and at start in the same way', () => {
  test.each<[string, unknown, string]>([
    ['a list', [], 'headers: expected an object'],
    ['a string', 'X: y', 'headers: expected an object'],
    ['null', null, 'headers: expected an object'],
    ['33 of them', many(33), 'headers: expected at most 32 headers'],
    [
      'one name twice',
      { 'X-A': 'a', 'x-a': 'b' },
      'headers.x-a: the header "x-a" is given twice; expected each name once',
    ],
    ['a number', { 'X-A': 7 }, 'headers.X-A: expected a string, which may contain {{payload.…}}'],
    ['a euro sign', { 'X-A': '5 €' }, `headers.X-A: ${chars('"€" (U+20AC)')}`],
    ['a tab', { 'X-A': 'a\tb' }, `headers.X-A: ${chars('U+0009')}`],
    ['a line break', { 'X-A': 'a\r\nSet-Cookie: b' }, `headers.X-A: ${chars('U+000D')}`],
    ['DEL', { 'X-A': '\x7f' }, `headers.X-A: ${chars('U+007F')}`],
    ['an emoji', { 'X-A': '🚀' }, `headers.X-A: ${chars('"🚀" (U+1F680)')}`],
    ['an unpaired surrogate', { 'X-A': '\ud83d' }, `headers.X-A: ${chars('U+D83D')}`],
    ['a euro sign after a place', { 'X-A': '{{payload.price}} €' }, `headers.X-A: ${chars('"€" (U+20AC)')}`],
    ['a euro sign in braces without a path', { 'X-A': '{{ }}{{€' }, `headers.X-A: ${chars('"€" (U+20AC)')}`],
    ['4,097 characters', { 'X-A': 'a'.repeat(4_097) }, 'headers.X-A: expected at most 4,096 characters'],
    [
      '4,097 characters around a place',
      { 'X-A': `${'a'.repeat(4_000)}{{payload}}${'a'.repeat(97)}` },
      'headers.X-A: expected at most 4,096 characters',
    ],
    ['two media types', { 'Content-Type': 'text/plain, text/html' }, `headers.Content-Type: ${noComma}`],
    ['a comma at the end', { 'content-type': 'text/plain,' }, `headers.content-type: ${noComma}`],
    ['a comma after quotes', { 'Content-Type': 'a/b; c="d,\\"", text/html' }, `headers.Content-Type: ${noComma}`],
    ['a comma after a place', { 'Content-Type': '{{payload.type}}, text/html' }, `headers.Content-Type: ${noComma}`],
    ['a media type without subtype', { 'Content-Type': 'html' }, `headers.Content-Type: ${oneType}`],
    ['a media type with a space in it', { 'Content-Type': 'text /html' }, `headers.Content-Type: ${oneType}`],
    ['a parameter without a value', { 'Content-Type': 'text/html; charset' }, `headers.Content-Type: ${oneType}`],
    ['a parameter without a semicolon', { 'Content-Type': 'text/html charset=a' }, `headers.Content-Type: ${oneType}`],
    ['quotes without an end', { 'Content-Type': 'text/html; a="b,' }, `headers.Content-Type: ${oneType}`],
    ['quotes that escape nothing', { 'Content-Type': 'text/html; a="b\\' }, `headers.Content-Type: ${oneType}`],
    ['a space', { 'Content-Type': ' ' }, `headers.Content-Type: ${oneType}`],
  ])('%s', (_what, headers, told) => {
    expect(saveFaults(headers)).toEqual([told]);
    expect(startFaults(headers)).toEqual([told]);
  });

  test('checking a hostile media type does not take forever', () => {
    for (const piece of ['; ', ' ;', '\\"', '"', ';a=', ' '])
      expect(saveFaults({ 'Content-Type': `a/b${piece.repeat(1_500)}!\\` })).toHaveLength(1);
  });
});

describe('what can be saved can be started and sent', () => {
  test.each<[string, Record<string, string>, object]>([
    ['none', {}, {}],
    ['32 of them', many(32), many(32)],
    ['a name of 64 characters', { ['x'.repeat(64)]: 'a' }, { ['x'.repeat(64)]: 'a' }],
    ['names of Object', { constructor: 'a', toString: 'b' }, { constructor: 'a', tostring: 'b' }],
    ['Location', { Location: '/orders/{{payload.id}}' }, { location: '/orders/7' }],
    ['Latin-1', { 'X-A': 'Grün, 5 £ "a" \u00ff' }, { 'x-a': 'Grün, 5 £ "a" \u00ff' }],
    ['4,096 characters', { 'X-A': 'a'.repeat(4_096) }, { 'x-a': 'a'.repeat(4_096) }],
    ['a place whose path is no Latin-1', { 'X-A': '{{payload.€}}!' }, { 'x-a': '5!' }],
    ['an empty value, which is left out', { 'X-A': '', 'Content-Type': '' }, {}],
  ])('%s', async (_what, headers, lines) => {
    expect([saveFaults(headers), startFaults(headers)]).toEqual([[], []]);
    expect((await sent(headers, { id: 7, '€': 5 }))?.headers).toEqual(lines);
  });

  test.each([
    'text/html',
    'TEXT/HTML;charset=utf-8',
    'text/html ; charset="utf-8" ; a=b;',
    'application/vnd.mes+json; profile="https://mes/a,b"',
    'a/b; c="\\","; d=e',
    ' text/csv ',
    '{{payload.type}}',
    'text/{{payload.sub}}; charset=utf-8',
    'text/plain; name="{{payload.sub}}, b"',
  ])('Content-Type %s', async (value) => {
    const headers = { 'Content-Type': value };
    expect([saveFaults(headers), startFaults(headers)]).toEqual([[], []]);
    const filled = value.replace('{{payload.type}}', 'text/csv').replace('{{payload.sub}}', 'csv');
    expect((await sent(headers, { type: 'text/csv', sub: 'csv' }))?.contentType).toBe(filled);
  });

  test('exactly the characters refused on saving are refused in a filled-in value too', async () => {
    const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));
    for (const character of [...characters, '€', '\u2028', '\ufeff', '\uffff', '🚀']) {
      const sends = sent({ 'X-A': 'a{{payload.character}}' }, { character }).then(
        () => true,
        () => false,
      );
      expect([character, await sends]).toEqual([character, saveFaults({ 'X-A': character }).length === 0]);
    }
  });
});
