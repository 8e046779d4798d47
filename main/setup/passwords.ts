import { randomBytes } from 'node:crypto';
import { readNewSecret } from '../cli/read-secret.ts';
import { newPassword } from '#common/model/credentials.ts';
import { SetupError } from './setup-error.ts';
import type { PasswordSource, SetupFile } from './setup-file.ts';
import type { SetupFiles } from './setup-files.ts';

const FILE_BYTES_MAX = 8 * 1024;
/** 120 bits, 20 characters. */
const GENERATED_BYTES = 15;

export interface Password {
  value: string;
  /** Absolute path of the file for a generated password; null: not generated. */
  writeTo: string | null;
}

export interface Passwords {
  administrator: Password;
  /** In the order of the users in the set-up file. */
  users: Password[];
}

/** Reads or generates every password. Throws SetupError that names the field. */
export async function readPasswords(
  { administrator, users }: SetupFile,
  files: SetupFiles,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Passwords> {
  const take = (source: PasswordSource, place: string) => passwordFrom(source, place, files, environment);
  const first = await take(administrator.password, 'administrator.password');
  const others: Password[] = [];
  for (const [index, user] of users.entries()) others.push(await take(user.password, `users.${index}.password`));
  return { administrator: first, users: others };
}

async function passwordFrom(
  source: PasswordSource,
  place: string,
  files: SetupFiles,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Password> {
  if (source.generate !== undefined) {
    const writeTo = files.newFile(`${place}.generate`, source.generate);
    return { value: randomBytes(GENERATED_BYTES).toString('base64url'), writeTo };
  }
  const value = await given(source, place, files, environment);
  const result = newPassword.safeParse(value);
  if (!result.success) throw SetupError.ofField(place, result.error.issues[0]?.message ?? 'expected a password');
  return { value, writeTo: null };
}

async function given(
  { file, environment: name }: PasswordSource,
  place: string,
  files: SetupFiles,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (file !== undefined) return firstLine(await files.read(`${place}.file`, file, FILE_BYTES_MAX));
  if (name === undefined) return readNewSecret(`Password (${place})`);
  const value = environment[name];
  if (value === undefined) throw SetupError.ofField(`${place}.environment`, `the variable ${name} is not set`);
  return value;
}

function firstLine(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
}
