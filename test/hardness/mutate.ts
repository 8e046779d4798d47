import type { Random } from '#test/random.ts';

/** Bytes that HTTP parsers treat differently. */
const BYTES = [
  '\0',
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  ' ',
  '"',
  '#',
  '%',
  '+',
  ',',
  '-',
  '0',
  ':',
  ';',
  '=',
  '\\',
  '_',
  '\x7f',
  '\x80',
  '\xa0',
  '\xff',
] as const;
const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  '\r\r',
  '\n\r',
  '\r\n ',
  '\r\n\t',
  '0\r\n\r\n',
  '\r\n0\r\n\r\n',
  '5\r\nhello\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 2\r\n',
  'Content-Length: 60\r\n',
  'Content-Length: 99999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Host: a\r\n',
  'Upgrade: h2c\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Expect: 100-continue\r\n',
  'X-API-Key: a\r\n',
  'Content-Type: application/json\r\n',
  'Content-Encoding: gzip\r\n',
  'Origin: http://a\r\n',
  ' HTTP/1.1\r\n',
  ' HTTP/1.0\r\n',
  'GET /count',
  'POST /count',
  'chunked',
  ', chunked',
  '../',
  '%2e',
  '%00',
  '%',
  'x'.repeat(300),
] as const;
const WORDS = [
  'GET',
  'POST',
  'PUT',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'PRI',
  'SOURCE',
  'PLAY',
  'HTTP/1.1',
  'HTTP/1.0',
  'RTSP/1.1',
  '/count',
  '/items/a',
  '/small',
  '*',
  '0',
  '1',
  '2',
  '10',
  'ffffffff',
] as const;

type Mutation = (text: string, random: Random, other: string) => string;

const place = (text: string, random: Random) => Math.floor(random.next() * (text.length + 1));
const span = (text: string, random: Random): [number, number] => {
  const from = place(text, random);
  return [from, Math.min(text.length, from + 1 + Math.floor(random.next() ** 3 * 64))];
};

const insert = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at);

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  (text, random) => insert(text, place(text, random), random.pick(BYTES)),
  (text, random) => insert(text, place(text, random), random.pick(PIECES)),
  (text, random) => insert(text, lineStart(text, random), random.pick(PIECES)),
  (text, random) => insert(text, place(text, random), String.fromCharCode(Math.floor(random.next() * 256))),
  (text, random) => {
    const at = place(text, random);
    return text.slice(0, at) + random.pick(BYTES) + text.slice(at + 1);
  },
  (text, random) => {
    const at = Math.min(place(text, random), text.length - 1);
    const flipped = (text.charCodeAt(at) ^ (1 << Math.floor(random.next() * 8))) & 0xff;
    return at < 0 ? text : text.slice(0, at) + String.fromCharCode(flipped) + text.slice(at + 1);
  },
  (text, random) => {
    const [from, to] = span(text, random);
    return text.slice(0, from) + text.slice(to);
  },
  (text, random) => {
    const [from, to] = span(text, random);
    return insert(text, place(text, random), text.slice(from, to));
  },
  (text, random) =>
    replaceOne(text, random, /\r\n/g, random.pick(['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '', '\r\n\r\n'])),
  (text, random) => replaceOne(text, random, /[A-Za-z0-9/.*]+/g, random.pick(WORDS)),
  (text, random) => replaceOne(text, random, /[0-9]+/g, String(Math.floor(random.next() ** 4 * 200))),
  (text, random) => replaceOne(text, random, /: /g, random.pick([':', ' : ', ':\t', ': \0', ':\r\n ', ' '])),
  (text, random) => {
    const lines = text.split('\r\n');
    const from = Math.floor(random.next() * lines.length);
    lines.splice(Math.floor(random.next() * lines.length), 0, lines[from] ?? '');
    return lines.join('\r\n');
  },
  (text, random) => {
    const lines = text.split('\r\n');
    const [line = ''] = lines.splice(Math.floor(random.next() * lines.length), 1);
    lines.splice(Math.floor(random.next() * (lines.length + 1)), 0, line);
    return lines.join('\r\n');
  },
  (text, random, other) => text.slice(0, place(text, random)) + other.slice(place(other, random)),
  (text, random, other) => insert(text, place(text, random), other),
  (text, random) => text.slice(0, place(text, random)),
];

/** One to four random changes; `other` can be used for a crossover. Characters are bytes (Latin-1). */
export function mutate(text: string, other: string, random: Random): string {
  let mutated = text;
  for (let changes = 1 + Math.floor(random.next() ** 2 * 4); changes > 0; changes--)
    mutated = random.pick(MUTATIONS)(mutated, random, other);
  return mutated;
}

function lineStart(text: string, random: Random): number {
  const at = text.indexOf('\r\n', place(text, random));
  return at < 0 ? text.length : at + 2;
}

function replaceOne(text: string, random: Random, pattern: RegExp, by: string): string {
  const found = [...text.matchAll(pattern)];
  const match = found[Math.floor(random.next() * found.length)];
  return match ? text.slice(0, match.index) + by + text.slice(match.index + match[0].length) : text;
}
