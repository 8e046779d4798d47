import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import { openIndexDatabase } from '../../main/audit/index-database.ts';
import { Indexer } from '../../main/audit/indexer.ts';
import { search } from '../../main/audit/search.ts';
import { summarise } from '../../main/audit/summary.ts';
import type { AuditFilter } from '../../main/contracts.ts';

/**
 * The search of a journal of ROWS rows: how long the index takes to be built, and for each query the time of its first
 * page, its longest page and all pages. Run: `node test/bench/journal-search.ts [rows]` (default: 1,000,000).
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const EVERY_MS = 250;
const AT_ONCE = 10_000;
const START = Date.parse('2026-03-01T00:00:00Z');

const folder = await mkdtemp(join(tmpdir(), 'sluice-search-bench-'));
await write();
const database = openIndexDatabase(join(folder, 'index.sqlite'));
const builtMs = timed(() => new Indexer(folder, database).catchUp());
console.log(`${ROWS} rows, index built in ${Math.round(builtMs)} ms`);

const end = START + ROWS * EVERY_MS;
const lastDay = { from: new Date(end - 86_400_000).toISOString(), to: new Date(end).toISOString() };
const QUESTIONS: [string, AuditFilter][] = [
  ['no filter', {}],
  ['a part of a consumer', { find: 'line 17' }],
  ['a consumer of few calls', { find: 'commissioning laptop' }],
  ['an address, one day', { find: '10.20.3.7', ...lastDay }],
  ['a range of addresses', { find: '10.20.3.0/24' }],
  ['a status', { find: '503' }],
  ['a part of a path', { find: '/k-99999' }],
  ['a part of a request id', { find: 'req-123456' }],
  ['nothing', { find: 'nobody has this' }],
  ['a key', { keyId: 'key000000017' }],
];
for (const [name, filter] of QUESTIONS) report(`search, ${name}`, filter, (asked) => search(database, folder, asked));
report('counts, all', {}, (asked) => summarise(database, asked));
report('counts, one day', lastDay, (asked) => summarise(database, asked));
report('counts, a part of a consumer', { find: 'line 17' }, (asked) => summarise(database, asked));
report('counts, a part of a path', { find: '/k-99999' }, (asked) => summarise(database, asked));
database.close();
await rm(folder, { recursive: true });

/** Pages until one has rows, as the UI loads them, and until the end. */
function report(name: string, filter: AuditFilter, ask: (filter: AuditFilter) => { next: string | null }): void {
  const pages: number[] = [];
  let cursor: string | null = null;
  let firstMs: number | null = null;
  do {
    let answer: { next: string | null; items?: unknown[] } = { next: null };
    pages.push(timed(() => (answer = ask({ ...filter, limit: 1_000, ...(cursor !== null && { cursor }) }))));
    if (firstMs === null && answer.items?.length !== 0) firstMs = sum(pages);
    cursor = answer.next;
  } while (cursor !== null && pages.length < 50);
  const first = firstMs === null ? 'none' : `${Math.round(firstMs)} ms`;
  const figures = `first rows ${first}, longest page ${Math.round(Math.max(...pages))} ms`;
  console.log(`${name}: ${figures}, ${pages.length}${cursor === null ? '' : '+'} pages ${Math.round(sum(pages))} ms`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

async function write(): Promise<void> {
  const writer = await openWriter({ ...plainChain(folder, 'gateway'), ackMsMax: 60_000 });
  const append = (row: AuditRow) => new Promise((done) => writer.append(JSON.stringify(row), done));
  for (let from = 0; from < ROWS; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, ROWS - from);
    await Promise.all(Array.from({ length }, (_, index) => append(rowAt(from + index))));
  }
  await writer.close();
}

/** Sixty callers with two addresses each on twelve routes; one call in fifty is refused, one in two hundred fails. */
function rowAt(index: number): AuditRow {
  const consumer = index % 59;
  const isRare = index % 250_000 === 7;
  const row: AuditRow = {
    time: new Date(START + index * EVERY_MS).toISOString(),
    type: index % 2 === 0 ? 'use' : 'outcome',
    requestId: `req-${index}`,
    keyId: `key${String(consumer).padStart(9, '0')}`,
    keyName: isRare ? 'Commissioning laptop' : `Line ${consumer}`,
    project: 'line-7',
    pipeline: 'orders',
    route: `/api/v1/orders-${index % 12}/:id`,
    method: 'GET',
    path: `/api/v1/orders-${index % 12}/K-${index}`,
    ip: `10.20.${consumer % 8}.${index % 16}`,
  };
  if (row.type === 'use') return row;
  const status = index % 201 === 0 ? 503 : 200;
  if (index % 51 !== 0) return { ...row, status, durationMs: 4.2, bytesIn: 120, bytesOut: 340 };
  const why = { step: 6, cause: 'rate_limited', compared: { rate: 10, burst: 0 } };
  return { ...row, type: 'refusal', code: 'rate_limited', status: 429, why };
}
