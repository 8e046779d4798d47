import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { openJournal } from '../../gateway/journal/journal.ts';
import { outcomeRow, requestFields, routeRowPrefix, useRow } from '../../gateway/journal/rows.ts';

/**
 * The throughput of the journal, without HTTP: requests of two commits each, 1, 8 or 64 of them at a time, durability
 * `process`. Prints rows per second, CPU microseconds per row (both threads) and the time of one commit. Run: `node
 * test/bench/journal.ts [seconds]`; pin it with `taskset -c 0` to measure one core.
 */
const seconds = Number(process.argv[2] ?? 3);
const prefix = routeRowPrefix({ project: 'demo', pipeline: 'orders', route: '/api/v1/orders/:id' });
const key = { id: 'abcdefghijkl', name: 'MES line 7' };

for (const concurrency of [1, 8, 64]) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journal-bench-'));
  const journal = await openJournal(plainChain(folder, 'gateway'));
  await run(concurrency, 0.5);
  const cpu = process.cpuUsage();
  const { rows, ms, waits } = await run(concurrency, seconds);
  const { user, system } = process.cpuUsage(cpu);
  await journal.close();
  await rm(folder, { recursive: true });
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(3);
  const figures = [`${Math.round((rows / ms) * 1000)} rows/s`, `${((user + system) / rows).toFixed(2)} µs CPU/row`];
  console.log(
    `${String(concurrency).padStart(2)} at a time: ${figures.join(', ')}, commit p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );

  function run(lanes: number, forSeconds: number): Promise<{ rows: number; ms: number; waits: number[] }> {
    const started = performance.now();
    const until = started + forSeconds * 1000;
    const result = { rows: 0, ms: 0, waits: [] as number[] };
    let left = lanes;
    return new Promise((resolve, reject) => {
      const lane = (n: number) => {
        const id = `0199a5c2-7c1e-7000-8000-${String(n).padStart(12, '0')}`;
        const from = performance.now();
        const fields = requestFields(prefix, key, id, '', 'GET', `/api/v1/orders/${n}`, '10.0.0.7');
        journal.commit(useRow(fields), (ok) => {
          if (!ok) return reject(new Error('a commit failed'));
          const mid = performance.now();
          journal.commit(outcomeRow(fields, 200, 1.25, 0, 120), () => {
            const now = performance.now();
            result.waits.push(mid - from, now - mid);
            result.rows += 2;
            if (now < until) return lane(n + 1);
            left -= 1;
            result.ms = now - started;
            if (left === 0) resolve(result);
          });
        });
      };
      for (let i = 0; i < lanes; i++) lane(i);
    });
  }
}
