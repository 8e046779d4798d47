import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '#test/paths.ts';
import { programMissing } from '#test/program-missing.ts';
import { tempDir } from '#test/temp-dir.ts';
import { within } from '#test/until.ts';

/** The receivers in docs/guides/receive-events.md, started as by their readers. */
export const RECEIVERS = [
  { language: 'python', file: 'receiver.py', program: 'python3', sqlite: true },
  { language: 'js', file: 'receiver.mjs', program: process.execPath, sqlite: true },
  { language: 'java', file: 'Receiver.java', program: 'java', sqlite: false },
] as const;

export type ReceiverExample = (typeof RECEIVERS)[number];

export const EXAMPLES = join(ROOT, 'docs/guides/receivers');
/** The JDK compiles its example first. */
const START_MS_MAX = 60_000;

export interface ReceiverProcess extends AsyncDisposable {
  /** `http://127.0.0.1:port`; a different one after each start. */
  readonly url: string;
  /** Where it stores keys and effects. */
  readonly file: string;
  /** SIGKILL; resolves when it has ended. */
  kill9(): Promise<void>;
  start(): Promise<void>;
  totals(): Promise<Record<string, number>>;
}

export const receiverMissing = ({ program }: ReceiverExample): string | false => programMissing(program);

export async function startReceiver(example: ReceiverExample): Promise<ReceiverProcess> {
  const folder = await tempDir('sluice-receiver-');
  const file = join(folder.path, 'received');
  let code = [join(EXAMPLES, example.file)];
  let child: ChildProcess | null = null;
  let url = '';
  const kill9 = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    await gone;
  };
  const endWithUs = () => void child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  const start = async () => {
    child = spawn(example.program, [...code, '0', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    url = await listening(child, example.file);
  };
  const startAgain = async () => {
    if (example.language === 'java' && !code.includes('-cp')) code = await compiled(example.file, folder.path);
    await start();
  };
  const end = async () => {
    process.removeListener('exit', endWithUs);
    await kill9();
    await folder.remove();
  };
  await start().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return {
    get url() {
      return url;
    },
    file,
    kill9,
    start: startAgain,
    totals: async () => (await (await fetch(`${url}/totals`)).json()) as Record<string, number>,
    [Symbol.asyncDispose]: end,
  };
}

/**
 * From its source, the JDK compiles the example at each start, which takes two seconds of a core. The first start is
 * like a reader's; later ones run the same program, compiled once. A JDK that starts sources has `javac` too.
 */
async function compiled(file: string, folder: string): Promise<string[]> {
  const classes = join(folder, 'classes');
  await promisify(execFile)('javac', ['-d', classes, join(EXAMPLES, file)]);
  return ['-cp', classes, basename(file, '.java')];
}

async function listening(child: ChildProcess, name: string): Promise<string> {
  let said = '';
  child.stderr?.on('data', (text) => (said = (said + String(text)).slice(-4_000)));
  if (child.stdout === null) throw new Error('no standard output');
  const lines = createInterface({ input: child.stdout });
  const url = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /^receiving on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`${name} ended before it listened: ${said}`)));
  });
  return within(START_MS_MAX, `${name} listens`, url);
}
