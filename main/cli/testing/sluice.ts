import { type ChildProcess, spawn } from 'node:child_process';
import { SERVICE_ENTRY } from '#test/paths.ts';

const END_MS_MAX = 100_000;

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** A real `sluice` process. */
export interface Running {
  child: ChildProcess;
  ready: Promise<{ gateway: string; ui: string; setupTokenFile?: string }>;
  ended: Promise<Ended>;
  /** Its log so far. */
  log(): string;
}

export function startSluice(
  args: readonly string[],
  options: {
    environment?: Record<string, string>;
    input?: string;
    group?: boolean;
    /** The child is a shell that waits for the program, as with npm. */
    shell?: boolean;
    /** Another `sluice` than that of the checkout, such as a packaged one. */
    program?: string;
  } = {},
): Running {
  const program = [...(options.program === undefined ? [process.execPath, SERVICE_ENTRY] : [options.program]), ...args];
  const [file = '', ...given] = options.shell === true ? ['/bin/sh', '-c', '"$@"; true', 'sh', ...program] : program;
  const child = spawn(file, given, {
    env: { ...cleanEnvironment(), ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: options.group ?? false,
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX);
  let stdout = '';
  let stderr = '';
  const ready = Promise.withResolvers<Awaited<Running['ready']>>();
  ready.promise.catch(() => {});
  child.stdin.end(options.input ?? '');
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n') && stdout.startsWith('{'))
      ready.resolve(JSON.parse(stdout.slice(0, stdout.indexOf('\n'))));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      ready.reject(new Error(`sluice ended with ${code ?? signal}: ${stderr.slice(0, 2000)}`));
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ready: ready.promise, ended, log: () => stderr };
}

export function runSluice(args: readonly string[], options: Parameters<typeof startSluice>[1] = {}): Promise<Ended> {
  return startSluice(args, options).ended;
}

/** The environment of the tests must not affect `sluice`. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_')));
}
