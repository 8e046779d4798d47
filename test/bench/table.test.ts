import { expect, test } from 'vitest';
import { type Measured, median, medians, printTable } from './table.ts';

const round = (contestant: string, workload: string, requests: number): Measured => ({
  contestant,
  workload,
  requests,
  seconds: 2,
  p50Ms: 1,
  p99Ms: 2,
  cpuUs: requests * 50,
});

test('a median is the middle of an odd count and the mean of the two middles of an even count', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

test('rows are medians over the rounds, compared with the bare server for the same method', () => {
  const rounds = [100, 300, 200].flatMap((requests) => [
    round('bare', 'GET', requests),
    round('bare', 'POST', requests * 2),
    round('ours', 'GET', requests / 2),
    round('ours', 'POST, transform', requests),
  ]);
  const rows = medians(rounds);
  expect(rows.map(({ contestant, perSecond, cpuUsPerRequest }) => [contestant, perSecond, cpuUsPerRequest])).toEqual([
    ['bare', 100, 50],
    ['bare', 200, 50],
    ['ours', 50, 50],
    ['ours', 100, 50],
  ]);
  const lines = printTable(rows, 'bare').split('\n');
  expect(lines.filter((line) => line.startsWith('ours')).map((line) => line.split(/\s{2,}/)[2])).toEqual([
    '0.50',
    '0.50',
  ]);
});
