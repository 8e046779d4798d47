/**
 * Runs `npm test`: every Vitest test, its output as it comes, then one last line with the counts, `N passed, N failed[,
 * N skipped]`. Exit code 0 only when something ran and nothing failed.
 *
 * Also counted as failed: a file that cannot be loaded, and an error outside every test. Tests of programs that the
 * machine does not have are left out, with a line for each group; in CI they are refused. Arguments are file filters,
 * as Vitest takes them, and `--project NAME` for one group of vitest.config.ts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import { memoryFolder } from '#test/memory-folder.ts';
import { bundlePrograms } from './bundled-programs.ts';
import { prepareMachine } from './left-out.ts';
import {
  countTests,
  crashedFiles,
  errorsOutsideFiles,
  failedOf,
  failedTests,
  type OutsideError,
  skippedTests,
  summary,
} from './verdict.ts';

/**
 * In CI a failed file is run again once, in a new process: a shared machine has too little CPU time for seconds at a
 * time. Only files that use a browser, measure time or had their process crash, and not more of them than such a moment
 * can affect.
 */
const SECOND_TRY = new Set(['pages', 'waiting', 'pairs', 'alone']);
const SECOND_TRIES_MAX = process.env['CI'] === undefined ? 0 : 4;

interface Run {
  readonly modules: readonly TestModule[];
  readonly errorsOutside: number;
  /** Paths of the files whose process crashed. */
  readonly crashed: readonly string[];
  /** Complete, without errors outside of tests. */
  readonly whole: boolean;
}

async function run(filters: string[], projects?: string[]): Promise<Run> {
  const { startVitest } = await import('vitest/node');
  let modules: readonly TestModule[] = [];
  let errors: readonly OutsideError[] = [];
  let interrupted = true;
  const collector: Reporter = {
    onTestRunEnd(ended, outside, reason) {
      modules = ended;
      errors = outside;
      interrupted = reason === 'interrupted';
    },
  };
  process.exitCode = 0;
  const vitest = await startVitest(filters, {
    run: true,
    watch: false,
    reporters: ['default', collector],
    ...(projects === undefined ? {} : { project: projects }),
  });
  await vitest.close();
  const errorsOutside = errorsOutsideFiles(errors, modules);
  const trouble = process.exitCode !== 0 && countTests(modules, errorsOutside).failed === 0;
  return { modules, errorsOutside, crashed: crashedFiles(errors), whole: !interrupted && !trouble };
}

/** The modules after the second run, if there is one. */
async function withSecondTry(first: Run): Promise<Run> {
  const failed = failedOf(first.modules);
  const due = failed.length > 0 && failed.length <= SECOND_TRIES_MAX && first.whole;
  const mayFail = ({ project, moduleId }: TestModule) =>
    SECOND_TRY.has(project.name) || first.crashed.includes(moduleId);
  if (!due || !failed.every(mayFail)) return first;
  const second = await run(
    failed.map(({ moduleId }) => moduleId),
    [...new Set(failed.map(({ project }) => project.name))],
  );
  for (const module of second.modules)
    process.stdout.write(
      `second try of ${module.relativeModuleId}: ${failedOf([module]).length === 0 ? 'passed' : 'failed'}\n`,
    );
  const again = new Set(second.modules.map(({ moduleId }) => moduleId));
  return {
    modules: [...first.modules.filter(({ moduleId }) => !again.has(moduleId)), ...second.modules],
    errorsOutside: first.errorsOutside + second.errorsOutside,
    crashed: second.crashed,
    whole: second.whole,
  };
}

async function main(filters: string[], projects?: string[]): Promise<number> {
  const leftOut = prepareMachine();
  for (const line of [...leftOut.lines, leftOut.remedy]) if (line !== null) console.error(line);
  // CI must run every test.
  if (leftOut.lines.length > 0 && process.env['CI'] !== undefined) return 1;
  process.env['SLUICE_TEST_LEFT_OUT'] = JSON.stringify(leftOut.files);
  // A folder set by the user is kept: with TMPDIR=/tmp everything is on the disk.
  const memory = process.env['TMPDIR'] === undefined ? await memoryFolder() : null;
  if (memory !== null) process.env['TMPDIR'] = memory;
  // Hundreds of services and gateways are started from the same programs: compiled once, each start costs half.
  const cache = await mkdtemp(join(tmpdir(), 'sluice-test-cache-'));
  process.env['NODE_COMPILE_CACHE'] = cache;
  await using programs = await bundlePrograms();
  process.env['SLUICE_TEST_PROGRAMS'] = programs.folder;
  const { modules, errorsOutside, whole } = await withSecondTry(await run(filters, projects));
  for (const folder of [cache, ...(memory === null ? [] : [memory])])
    // A process that was just killed may still be writing its last bytes.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  const counts = countTests(modules, errorsOutside);
  const passed = counts.passed > 0 && counts.failed === 0 && whole;
  const skipped = skippedTests(modules).map((name) => `skipped: ${name}`);
  const failed = failedTests(modules).map((name) => `failed: ${name}`);
  const lines = [...skipped, ...leftOut.lines, ...failed, summary(counts)];
  await new Promise((written) => process.stdout.write(`${lines.join('\n')}\n`, written));
  return passed ? 0 : 1;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { project: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  process.exit(await main(positionals, values.project));
}
