import type { LoadResult } from './load.ts';

/** The result of one round of one contestant under one workload. */
export interface Measured extends LoadResult {
  readonly contestant: string;
  readonly workload: string;
  readonly cpuUs: number;
}

export interface Row {
  readonly contestant: string;
  readonly workload: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUsPerRequest: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Medians over the rounds, in the order in which they were first measured. */
export function medians(rounds: readonly Measured[]): Row[] {
  const groups = Map.groupBy(rounds, (round) => `${round.workload}\n${round.contestant}`);
  return [...groups.values()].map((group) => ({
    contestant: group[0]?.contestant ?? '',
    workload: group[0]?.workload ?? '',
    perSecond: median(group.map((round) => round.requests / round.seconds)),
    p50Ms: median(group.map((round) => round.p50Ms)),
    p99Ms: median(group.map((round) => round.p99Ms)),
    cpuUsPerRequest: median(group.map((round) => round.cpuUs / round.requests)),
  }));
}

const HEADINGS = ['', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'CPU µs/request'];

/**
 * The table as printed, one block for each workload. The block of the transform is compared with bare node:http under
 * the plain POST, which sends and returns the same bytes.
 */
export function printTable(rows: readonly Row[], bare: string): string {
  const blocks = Map.groupBy(rows, (row) => row.workload);
  return [...blocks]
    .map(([workload, block]) => printBlock(workload, block, yardstick(rows, workload, bare)))
    .join('\n');
}

function yardstick(rows: readonly Row[], workload: string, bare: string): Row | undefined {
  const asked = workload.startsWith('GET') ? 'GET' : 'POST';
  return rows.find((row) => row.contestant === bare && row.workload.startsWith(asked));
}

function printBlock(workload: string, rows: readonly Row[], bare: Row | undefined): string {
  const lines = rows.map((row) => [
    row.contestant,
    row.perSecond.toFixed(0),
    bare ? (row.perSecond / bare.perSecond).toFixed(2) : '–',
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.cpuUsPerRequest.toFixed(1),
  ]);
  const cells = [[workload, ...HEADINGS.slice(1)], ...lines];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const print = (line: string[]) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return `${cells.map(print).join('\n')}\n`;
}
