/**
 * `node gateway/http/held-loop.testing.ts`: measures the longest step of each kind of work on large values on the
 * gateway's event loop, in milliseconds of CPU time of this thread. Other programs on the machine have little
 * influence. Exits when it is done.
 */
import { isUtf8 } from 'node:buffer';
import { parseArgs } from 'node:util';
import { EventEmitter } from 'node:events';
import { BodyLane } from './body-lane.ts';
import { BodyReader } from './body-reader.ts';
import { Shares } from '../net/shares.ts';
import { decodeInPieces } from './decode-body.ts';
import { jsonInPieces, jsonText } from '#sdk';

const MIB = 1024 * 1024;
const BODY_MIB = 64;
const NAMES = 500_000;
const RUNS = 5;
const HELD_MS_MAX = 10;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const ascii = Buffer.alloc(BODY_MIB * MIB, 'abcdefghijklmnop');
const wide = Buffer.from('ä€b'.repeat((BODY_MIB * MIB) / 8));
const chunks = Array.from({ length: BODY_MIB * 16 }, (_, n) => ascii.subarray(n * 65_536, (n + 1) * 65_536));
const inQuotes = (text: Buffer): Buffer => Buffer.concat([Buffer.from('["'), text, Buffer.from('"]')]);
const escaped = Buffer.from(`["${'ab\\n€'.repeat((BODY_MIB * MIB) / 8)}"]`);
const space = Buffer.alloc(BODY_MIB * MIB, ' ');
const inBraces = (text: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"a"'), text.subarray(MIB), Buffer.from(':'), text.subarray(0, MIB), Buffer.from('1}')]);
/** Each run of white space ends just before a step of the parser does. */
const spacedEnds = Buffer.from(`${'['.repeat(BODY_MIB * 2)}1${`${' '.repeat(MIB / 2 - 1)}]`.repeat(BODY_MIB * 2)}`);
const names = Buffer.from(
  JSON.stringify(Object.fromEntries(Array.from({ length: NAMES }, (_, n) => [`name-${n}`, n]))),
);
const nested = Buffer.from(`{"a":${names.toString()}}`);
const rows = Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: `part ${n}`, tags: ['a', 'b'], at: n / 3 }));
const rowsText = Buffer.from(JSON.stringify(rows));

type Steps = Iterator<void, unknown>;
const once = (work: () => unknown) => (): Steps => ({ next: () => ({ done: true, value: work() }) });
const decoding = (bytes: Buffer, type: string) => (): Steps => decodeInPieces(bytes, type, () => true);
function joining(): Steps {
  const request = Object.assign(new EventEmitter(), {
    httpVersion: '1.1',
    rawHeaders: [],
    rawTrailers: [],
    complete: true,
  });
  const holder = { id: 'key', name: 'MES', project: 'line-1' };
  const source = { pauseBody: () => undefined, resumeBody: () => undefined };
  const bodies = new Shares(BODY_MIB * MIB * 8);
  const share = { bodies, holder, lane: new BodyLane(), source, isRefused: () => false };
  const limits = { maxBytes: BODY_MIB * MIB, timeoutMs: 60_000, declaredTooLarge: false };
  const reader = new BodyReader(request, share, limits, () => undefined);
  for (const chunk of chunks) request.emit('data', chunk);
  return reader.joined();
}

const WORK: Readonly<Record<string, () => Steps>> = {
  'joining 64 MiB': joining,
  'UTF-8 check of 64 MiB, ASCII': once(() => isUtf8(ascii)),
  'UTF-8 check of 64 MiB, others': once(() => isUtf8(wide)),
  'text of 64 MiB, ASCII': decoding(ascii, 'text/plain'),
  'text of 64 MiB, others': decoding(wide, 'text/plain'),
  'JSON string of 64 MiB, ASCII': decoding(inQuotes(ascii), 'application/json'),
  'JSON string of 64 MiB, others': decoding(inQuotes(wide), 'application/json'),
  'JSON string of 64 MiB, escapes': decoding(escaped, 'application/json'),
  '500,000 names': decoding(names, 'application/json'),
  '500,000 names inside an object': decoding(nested, 'application/json'),
  '100,000 rows': decoding(rowsText, 'application/json'),
  '64 MiB of white space before a value': decoding(Buffer.concat([space, Buffer.from('[1]')]), 'application/json'),
  '64 MiB of white space behind a value': decoding(Buffer.concat([Buffer.from('[1]'), space]), 'application/json'),
  '64 MiB of white space in an object': decoding(inBraces(space), 'application/json'),
  '64 MiB of white space at the ends of arrays': decoding(spacedEnds, 'application/json'),
  'reply of 100,000 rows as JSON, at once': once(() => jsonText(rows)),
  'reply of 100,000 rows as JSON, in pieces': writing,
};

function* writing(): Generator<void, void> {
  const encoder = new TextEncoder();
  for (const text of jsonInPieces(rows)) {
    encoder.encode(text);
    yield;
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function longest(steps: Steps): { steps: number; ms: number } {
  for (let count = 1, ms = 0; ; count++) {
    const fromMs = cpuMs();
    const { done } = steps.next();
    ms = Math.max(ms, cpuMs() - fromMs);
    if (done === true) return { steps: count, ms };
  }
}

const table = Object.entries(WORK).flatMap(([work, start]) => {
  if (!work.includes(values.only ?? '')) return [];
  const runs = Array.from({ length: RUNS }, () => longest(start())).toSorted((a, b) => a.ms - b.ms);
  const middle = runs[Math.floor(RUNS / 2)] as (typeof runs)[number];
  const over = middle.ms > HELD_MS_MAX ? 'over' : '';
  return [{ work, steps: middle.steps, 'longest step, ms': middle.ms.toFixed(1), 'of 10 ms': over }];
});
console.table(table);
