import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '#test/paths.ts';
import { cacheFolder } from './cache.ts';
import { readResult, Results, type RowResult } from './results.ts';
import type { RowTask } from './row-task.ts';
import { rowNamed, ROWS, type Row } from './rows.ts';
import { demoTable, testsTable } from './table.ts';
import { writeTables } from './write-tables.ts';

/**
 * `npm run try:machines`: the README's commands in clean Debian systems, in a fresh clone of HEAD. Needs root on Debian.
 * One table row for each row of rows.ts; all rows take about 15 minutes.
 *
 * Options after `--`: `--tests` runs `npm ci && npm test` on the Debian rows instead of the demo; `--filter FILES` only
 * these test files; `--row ID` (repeatable) only these rows; `--again` also rows that have a result for this commit;
 * `--cold` without the packages that npm fetched in earlier runs; `--write` puts the tables into CONTRIBUTING.md.
 *
 * Each row runs in mount, process and host name namespaces of its own, so that no process and no mount outlives it.
 */
const TRY_ROW = fileURLToPath(new URL('./try-row.ts', import.meta.url));
const NAMESPACES = ['unshare', '--mount', '--mount-proc', '--pid', '--fork', '--kill-child', '--uts'];
/** The shell is process 1 there and adopts orphans, which tests of ended processes rely on; Node would not. */
const FIRST_PROCESS = ['sh', '-c', 'hostname fresh; "$@"; exit $?', 'sh'];

/** Set by Ctrl-C: the row ends with its processes, and no further row starts. */
let stopped = false;

const { values } = parseArgs({
  options: {
    tests: { type: 'boolean', default: false },
    filter: { type: 'string', default: '' },
    row: { type: 'string', multiple: true },
    again: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const kind = values.tests ? 'tests' : 'demo';
  const rows = values.row?.map(rowNamed) ?? ROWS.filter((row) => !values.tests || row.runtime === 'debian');
  if (values.filter !== '' && !values.tests) throw new Error('--filter: expected together with --tests.');
  prepareMachine();
  const commit = git('rev-parse', 'HEAD');
  if (git('status', '--porcelain') !== '') console.error('Changes that are not committed are not tried.');
  const results = new Results(commit);
  for (const row of rows) {
    if (stopped) break;
    const known = values.again || values.filter !== '' ? undefined : results.find(row.id, kind);
    const result = known ?? (await tryRow(row, kind, commit));
    if (result === null) process.exitCode = 1;
    else {
      if (values.filter === '') results.put(result);
      report(result);
    }
  }
  const all = results.all();
  console.log(`\n${values.tests ? testsTable(ROWS, all) : demoTable(ROWS, all)}`);
  if (values.write) await writeTables(commit, all);
}

function report({ id, result }: RowResult): void {
  const seconds = result.kind === 'demo' ? result.firstCallSeconds : result.minutes * 60;
  console.log(`${id}: ${result.outcome}${seconds === null ? '' : ` (${seconds.toFixed(1)} s)`}: ${result.detail}`);
  if (result.kind === 'tests') for (const skip of result.skips) console.log(`  skipped: ${skip}`);
  if (result.outcome === 'failed') process.exitCode = 1;
}

/**
 * Null if the row could not be tested, for example because a Debian mirror does not respond; the log has the reason.
 */
async function tryRow({ id }: Row, kind: RowTask['kind'], commit: string): Promise<RowResult | null> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-machine-'));
  const log = join(cacheFolder('logs'), `${id}-${kind}.log`);
  writeFileSync(log, '');
  console.error(`${id}: ${kind}, log in ${log}`);
  const task: RowTask = { id, kind, scratch, log, commit, cold: values.cold, filter: values.filter };
  const words = [...NAMESPACES, ...FIRST_PROCESS, process.execPath, TRY_ROW, JSON.stringify(task)];
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => {
    stopped = true;
    child.kill('SIGKILL');
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await once(child, 'exit');
    const file = join(scratch, 'result.json');
    if (!existsSync(file)) console.error(`${id}: not tried to its end; see ${log}`);
    return existsSync(file) ? readResult(file) : null;
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Throws with one sentence if this machine cannot create a Debian system. */
function prepareMachine(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    throw new Error('try:machines needs root on Debian: it makes Debian systems with debootstrap and mounts them.');
  const missing = [
    ['debootstrap', '/usr/sbin/debootstrap'],
    ['curl', '/usr/bin/curl'],
    ['iproute2', '/usr/sbin/ip'],
  ].flatMap(([name = '', file = '']) => (existsSync(file) ? [] : [name]));
  if (missing.length === 0) return;
  spawnSync('apt-get', ['update', '-q'], { stdio: ['ignore', 2, 2] });
  const { status } = spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`try:machines needs Debian's packages ${missing.join(', ')}.`);
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
