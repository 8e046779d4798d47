import { open } from 'node:fs/promises';
import { serviceTokenId } from '#common/api-key.ts';
import { readBounded } from '../setup/read-bounded.ts';
import type { Arguments, Flag } from './arguments.ts';
import { fileTrouble, isSystemError } from './file-trouble.ts';
import type { Environment } from './options.ts';
import { PlainError, UsageError } from './plain-error.ts';

/** The service token of a command (docs/spec/operation.md#projects-as-code): never an argument, which others can see. */
export const TOKEN_VARIABLE = 'SLUICE_TOKEN';
const FILE_BYTES_MAX = 4_096;

export const TOKEN_FLAG = {
  'token-file': { value: 'FILE', help: `file with a service token, instead of --user; or set ${TOKEN_VARIABLE}` },
} as const satisfies Record<string, Flag>;

/**
 * The token of --token-file, else of SLUICE_TOKEN; null: neither is given, or --user is. Errors name the source, never
 * the value.
 */
export async function serviceToken(args: Arguments, environment: Environment): Promise<string | null> {
  const file = args.flags.get('token-file');
  if (args.flags.has('user')) {
    if (file === undefined) return null;
    throw new UsageError('--user and --token-file are both given; expected one of them');
  }
  if (file !== undefined) return tokenFrom(await textOf(file), file);
  const given = environment[TOKEN_VARIABLE];
  return given === undefined ? null : tokenFrom(given, TOKEN_VARIABLE);
}

function tokenFrom(text: string, source: string): string {
  const token = text.trim();
  if (serviceTokenId(token) !== null) return token;
  throw new PlainError(`${source} has no service token; expected one line that begins with slt_`);
}

async function textOf(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const bytes = await readBounded(handle, FILE_BYTES_MAX);
    return Buffer.from(bytes ?? []).toString('utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new PlainError(`--token-file ${file} cannot be read: ${fileTrouble(error)}`);
  }
}
