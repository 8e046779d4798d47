import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileTrouble } from '../cli/file-trouble.ts';
import type { Environment, ServeOptions } from '../cli/options.ts';
import { readPasswords, type Passwords } from './passwords.ts';
import { performSetup } from './perform.ts';
import { readBounded } from './read-bounded.ts';
import { SetupError } from './setup-error.ts';
import { readSetupFile, SETUP_FILE_BYTES_MAX, type SetupFile } from './setup-file.ts';
import { setupFiles } from './setup-files.ts';
import { isSetUp, openSetupHost } from './setup-host.ts';
import { planSetup, type SetupPlan } from './setup-plan.ts';

/** Outcome of `sluice setup`. `checked`: run with `--check`. */
export interface SetupReport {
  result: 'set_up' | 'already_set_up' | 'checked';
  /** Completed steps, in order. */
  steps: string[];
  warnings: string[];
  /** Address of the admin UI on this machine; null if nothing was set up. */
  ui: string | null;
  /** Files with the created keys. */
  keys: { project: string; name: string; file: string }[];
}

export interface SetupRun {
  /** Path of the set-up file; `-`: standard input. */
  from: string;
  isCheck: boolean;
  options: ServeOptions;
  environment: Environment;
  /** Called with each warning, then with each completed step. */
  tell(sentence: string): void;
}

interface Prepared {
  file: SetupFile;
  plan: SetupPlan;
  passwords: Passwords;
}

/**
 * Sets up a Sluice that has no Administrator yet, completely or not at all. Throws SetupError, PlainError or SluiceError
 * with one sentence.
 */
export async function runSetup(run: SetupRun): Promise<SetupReport> {
  const file = readSetupFile(await source(run.from));
  const report: SetupReport = { result: 'checked', steps: [], warnings: [], ui: null, keys: [] };
  if (!run.isCheck && (await isSetUp(run.options))) return { ...report, result: 'already_set_up' };
  const prepared = await prepare(file, run);
  report.warnings = prepared.plan.warnings;
  for (const warning of report.warnings) run.tell(`Warning: ${warning}`);
  return run.isCheck ? report : perform(run, prepared, report);
}

async function prepare(file: SetupFile, { from, environment }: SetupRun): Promise<Prepared> {
  const files = setupFiles(from === '-' ? process.cwd() : dirname(resolve(from)), from === '-');
  const plan = await planSetup(file, files);
  return { file, plan, passwords: await readPasswords(file, files, environment) };
}

async function perform(run: SetupRun, { file, plan, passwords }: Prepared, report: SetupReport): Promise<SetupReport> {
  await using host = await openSetupHost(run.options);
  const tell = (sentence: string): void => {
    report.steps.push(sentence);
    run.tell(sentence);
  };
  await performSetup({ admin: host.admin, finish: host.finish, tell }, file, plan, passwords);
  const keys = plan.keys.map(({ project, name, file: path }) => ({ project, name, file: path }));
  return { ...report, result: 'set_up', ui: host.ui, keys };
}

async function source(from: string): Promise<Uint8Array> {
  if (from === '-') return fromStdin();
  try {
    await using handle = await open(from);
    const bytes = await readBounded(handle, SETUP_FILE_BYTES_MAX);
    if (bytes === null) throw tooLarge();
    return bytes;
  } catch (cause) {
    if (cause instanceof SetupError) throw cause;
    throw new SetupError(`it cannot be read: ${fileTrouble(cause)}`, { cause });
  }
}

async function fromStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk as Uint8Array);
    bytes += piece.length;
    if (bytes > SETUP_FILE_BYTES_MAX) throw tooLarge();
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): SetupError {
  return new SetupError(`it is too large; expected at most ${SETUP_FILE_BYTES_MAX} bytes`);
}
