import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { packageArchiveAt } from '../third-party/pack-folder.ts';
import { PlainError } from '../cli/plain-error.ts';

/** Longer than any bundler takes: a hanging script must not block the command. */
const SCRIPT_MS_MAX = 120_000;
const OUTPUT_CHARS_MAX = 4_000;

const packageFile = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** Whether the folder has a package.json with a build script; without one it is packed unchanged. */
export function hasBuild(folder: string): boolean {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return packageFile.parse(JSON.parse(text)).scripts?.['build'] !== undefined;
  } catch {
    return false;
  }
}

/** The plugin as the bytes of a `.tgz`. Throws PlainError with the output of the author's tools. */
export async function buildPlugin(folder: string): Promise<Uint8Array> {
  if (!hasBuild(folder)) return packageArchiveAt(folder);
  await npm(folder, ['run', 'build']);
  const target = mkdtempSync(join(tmpdir(), 'sluice-plugin-'));
  try {
    await npm(folder, ['pack', '--silent', '--pack-destination', target]);
    const [file] = readdirSync(target);
    if (file === undefined) throw new PlainError('npm pack made no file');
    return await packageArchiveAt(join(target, file));
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** On Windows, npm is a script that only a shell can start. None of the arguments needs quoting. */
function npm(folder: string, words: readonly string[]): Promise<void> {
  const shell = process.platform === 'win32';
  const child = spawn('npm', shell ? words.map((word) => `"${word}"`) : words, {
    cwd: folder,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SCRIPT_MS_MAX,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_CHARS_MAX)));
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new PlainError(`npm cannot be started: ${cause.message}`, { cause })));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new PlainError(`npm ${words[0] === 'run' ? 'run build' : 'pack'} failed:\n${output.trim()}`));
    });
  });
}
