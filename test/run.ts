/**
 * What `npm test` runs: every Vitest test, its output as it comes, then one last line with the counts,
 * `N passed, N failed[, N skipped]`. Exit code 0 only when something ran and nothing failed.
 *
 * Counted as failed besides failed tests: a file that cannot be loaded, and an error outside every test.
 * Arguments are file filters, as Vitest takes them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { memoryFolder } from '#test/memory-folder.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countTests(modules: readonly TestModule[], errorsOutside: number): Counts {
  const counts: Counts = { passed: 0, failed: errorsOutside, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) counts[testCount(test.result().state)] += 1;
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
  }
  return counts;
}

/** A test that never got a result counts as failed: it was cut off. */
function testCount(state: 'pending' | 'passed' | 'failed' | 'skipped'): keyof Counts {
  return state === 'pending' ? 'failed' : state;
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

async function main(): Promise<void> {
  // A folder that somebody has chosen stays: with TMPDIR=/tmp everything is on the disk.
  const memory = process.env['TMPDIR'] === undefined ? await memoryFolder() : null;
  if (memory !== null) process.env['TMPDIR'] = memory;
  // Hundreds of services and gateways are started from the same sources: compiled once, each start costs half.
  const cache = await mkdtemp(join(tmpdir(), 'sluice-test-cache-'));
  process.env['NODE_COMPILE_CACHE'] = cache;
  const { startVitest } = await import('vitest/node');
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  let interrupted = false;
  const counter: Reporter = {
    onTestRunEnd(modules, errors, reason) {
      counts = countTests(modules, errors.length);
      interrupted = reason === 'interrupted';
    },
  };
  const vitest = await startVitest(process.argv.slice(2), { run: true, watch: false, reporters: ['default', counter] });
  const trouble = process.exitCode !== undefined && process.exitCode !== 0;
  await vitest.close();
  for (const folder of [cache, ...(memory === null ? [] : [memory])])
    await rm(folder, { recursive: true, force: true });
  const passed = counts.passed > 0 && counts.failed === 0 && !interrupted && !trouble;
  await new Promise((written) => process.stdout.write(`${summary(counts)}\n`, written));
  process.exit(passed ? 0 : 1);
}

if (import.meta.main) await main();
