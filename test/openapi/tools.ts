import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '#test/paths.ts';

/** The folder of third-party tools: their packages, the sources of the clients and generated files. */
export const TOOLS = join(ROOT, 'test', 'openapi-tools');
export const GENERATED = join(TOOLS, 'generated');

const OUTPUT_CHARS_MAX = 64 * 1024 * 1024;
const RUN_MS_MAX = 300_000;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Installs the tools from their lock file unless they exist; creates an empty folder for generated files. */
export async function prepareTools(): Promise<void> {
  if (!existsSync(join(TOOLS, 'node_modules', '.package-lock.json'))) {
    console.log('Installing the linters and generators of test/openapi-tools …');
    const { code, err } = await run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit']);
    if (code !== 0) throw new Error(`npm ci in test/openapi-tools failed:\n${err}`);
  }
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  // The compiled clients are ES modules, whatever the parent folders contain.
  await writeFile(join(GENERATED, 'package.json'), '{ "type": "module" }\n');
}

/** The program of a tool, by its file below node_modules of the tools. */
export function runTool(file: string, args: readonly string[], input = ''): Promise<Ran> {
  return run(process.execPath, [join(TOOLS, 'node_modules', file), ...args], input);
}

/** A program in the folder of the tools, with `input` on its standard input. */
export async function run(program: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, {
    cwd: TOOLS,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    timeout: RUN_MS_MAX,
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out = (out + text).slice(-OUTPUT_CHARS_MAX)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err = (err + text).slice(-OUTPUT_CHARS_MAX)));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
