import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '#common/version.ts';
import type { Command } from '../command.ts';
import { fileTrouble, isSystemError } from '../file-trouble.ts';
import { PlainError } from '../plain-error.ts';
import { compareVersions, readPackageName } from './package-name.ts';
import { signedSumOf } from './signed-sums.ts';
import { readUpdateKey, type UpdateKey } from './update-key.ts';

/**
 * Checks whether a newer package from a file may be installed; runs in the installed version, which has the key. It
 * installs nothing: that is the task of the system's own tool.
 */
export const updateVerify: Command = {
  name: 'update verify',
  summary: 'checks a newer package, with SHA256SUMS and SHA256SUMS.sig beside it, before it is installed',
  flags: { 'public-key': { value: 'FILE', help: 'checks with this public key instead of the one kept on this PC' } },
  positionals: ['FILE'],
  run: async (args, { print }) => {
    const path = resolve(args.positionals[0] ?? '');
    const named = args.flags.get('public-key');
    const key = readUpdateKey(named === undefined ? undefined : resolve(named));
    for (const line of await verifyUpdate(path, key)) print(line);
    return 0;
  },
};

/** This PC and what is installed on it. */
const HERE = { version: VERSION, target: `${process.platform}-${process.arch}` };

/** The message; throws PlainError with the reason why the package must not be installed. */
export async function verifyUpdate(path: string, key: UpdateKey, here = HERE): Promise<string[]> {
  const { file, version, target } = readPackageName(path);
  const expected = signedSumOf(path, file, key);
  const found = await sumOf(path);
  if (found !== expected)
    throw new PlainError(`${path} does not match its signed checksum: its SHA-256 is ${found}, expected ${expected}`);
  if (target !== here.target) throw new PlainError(`${file} is for ${target}; this PC is ${here.target}`);
  const order = compareVersions(version, here.version);
  if (order < 0)
    throw new PlainError(
      `${file} is older than the installed version, ${here.version}: it cannot use the data of the newer version. To go back, run "sluice update rollback" first, or restore a backup that was made with ${version}`,
    );
  return [
    `The signature is valid: ${key.fingerprint}, the key of ${key.from}.`,
    `${file} matches its checksum.`,
    order === 0 ? `${version} is already installed.` : `${here.version} → ${version}`,
  ];
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 ** 2 })) hash.update(piece as Buffer);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new PlainError(`the package ${path} cannot be read: ${fileTrouble(error)}`, { cause: error });
  }
  return hash.digest('hex');
}
