import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '#test/paths.ts';
import { until, within } from '#test/until.ts';

/**
 * The first steps of a new user: `npm start -- --demo`, then every printed line in another shell. Each line must return
 * the status printed beside it, and each response's request ID must be in the journal; then the demo is stopped and
 * must leave no files. Prints one line per check and finally `N passed, N failed`. Arguments name another program to
 * test in the same way, such as a package's: `…/sluice serve`.
 */
const READY_MS_MAX = 60_000;
const END_MS_MAX = 20_000;
const LOG_IN = /^UI: log in at (\S+) with name (\S+) and password (\S+)$/m;
const LINE = /^# expect (\d{3}): (.+)\n(.+)$/gm;

interface Line {
  expect: number;
  title: string;
  command: string;
}

interface Answer {
  status: number;
  requestId: string;
}

const counts = { passed: 0, failed: 0 };

function check(title: string, problem: string | null): void {
  if (problem === null) counts.passed++;
  else counts.failed++;
  console.log(problem === null ? `ok    ${title}` : `FAIL  ${title}: ${problem}`);
}

/** The last response in the output: `curl -i` prints status and headers before the body. */
function paste(command: string): Answer {
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 30_000 });
  const heads = [...stdout.matchAll(/^HTTP\/1\.[01] (\d{3})[^]*?\r\n\r\n/gm)];
  const last = heads.at(-1);
  if (!last) throw new Error(`no answer in ${JSON.stringify(stdout + stderr)}`);
  return { status: Number(last[1]), requestId: /^x-request-id: (\S+)/im.exec(last[0])?.[1] ?? '' };
}

async function logIn(text: string): Promise<(path: string) => Promise<unknown>> {
  const [, ui, name, password] = LOG_IN.exec(text) ?? [];
  const response = await fetch(`${ui}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  if (!response.ok)
    throw new Error(`the printed log-in was answered with ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((entry) => entry.split(';', 1)[0])
    .join('; ');
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  const headers = { cookie, 'x-csrf-token': csrfToken };
  return async (path) => (await fetch(`${ui}/api/v1${path}`, { headers })).json();
}

function rowsProblem(answer: unknown, line: Line): string | null {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : null;
  const rows: unknown[] = Array.isArray(items) ? items : [];
  const fits = rows.some(
    (row) => typeof row === 'object' && row !== null && 'status' in row && row.status === line.expect,
  );
  return fits ? null : `expected a journal row with status ${line.expect}; found ${JSON.stringify(items)}`;
}

async function walk(line: Line, read: (path: string) => Promise<unknown>): Promise<void> {
  try {
    const { status, requestId } = paste(line.command);
    check(`${line.expect} ${line.title}`, status === line.expect ? null : `answered with ${status}`);
    check('      its journal row', rowsProblem(await read(`/audit?requestId=${encodeURIComponent(requestId)}`), line));
  } catch (error) {
    check(`${line.expect} ${line.title}`, String(error));
  }
}

function startDemo(): { child: ChildProcess; text: () => string } {
  // A separate process group, so that a signal reaches all of it, like Ctrl-C.
  const [program = 'npm', ...args] = process.argv.length > 2 ? process.argv.slice(2) : ['npm', 'start', '--'];
  const child = spawn(program, [...args, '--demo'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, text: () => text };
}

async function endDemo(child: ChildProcess, ui: string): Promise<void> {
  if (child.pid === undefined) return;
  const ended = child.exitCode === null ? once(child, 'exit').then(() => {}) : Promise.resolve();
  if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  await within(END_MS_MAX, 'the end of the demo', ended);
  await until(
    'the demo’s ports are free',
    () =>
      fetch(ui).then(
        () => false,
        () => true,
      ),
    { timeoutMs: END_MS_MAX },
  );
}

async function main(): Promise<void> {
  const { child, text } = startDemo();
  let ui = '';
  try {
    await until('the demo prints its log-in', () => LOG_IN.test(text()) || (child.exitCode !== null && 'ended'), {
      timeoutMs: READY_MS_MAX,
      everyMs: 50,
    });
    ui = LOG_IN.exec(text())?.[1] ?? '';
    const read = await logIn(text());
    const lines = [...text().matchAll(LINE)].map((match) => ({
      expect: Number(match[1]),
      title: match[2] ?? '',
      command: match[3] ?? '',
    }));
    check('the demo prints a line for every answer', missing(lines));
    for (const line of lines) await walk(line, read);
  } catch (error) {
    check('the demo', String(error));
  } finally {
    await endDemo(child, ui).then(
      () => check('the demo ends', null),
      (error: unknown) => check('the demo ends', String(error)),
    );
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

function missing(lines: readonly Line[]): string | null {
  const gone = [201, 204, 401, 403, 404, 409, 413, 429, 504].filter(
    (status) => !lines.some((line) => line.expect === status),
  );
  return gone.length === 0 ? null : `nothing for ${gone.join(', ')}`;
}

await main();
