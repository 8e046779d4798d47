import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { KindManifest } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { Audit, People } from '../contracts.ts';
import type { PluginControl } from '../third-party/plugin-control.ts';
import { actDetail, versionText } from '../third-party/plugin-record.ts';
import { readPackageAt } from '../third-party/read-package.ts';
import { VaultError } from '../vault/errors.ts';
import type { ControlHandler } from './control-socket.ts';

/**
 * What the command line asks of a data folder: of the running host over its socket, or, when none runs, of the files
 * that it then opens itself. Whoever can do either owns the data folder, so no log-in is asked; each act is journaled
 * as done on the command line.
 */
export interface CommandParts {
  audit: Audit;
  people: Pick<People, 'addUser' | 'resetPassword'>;
  backup(passphrase: string, includeJournal: boolean): Promise<AsyncIterable<Uint8Array>>;
  plugins: PluginControl;
  confirmVault(): Promise<void>;
  /** Null without a gateway, which alone knows its kinds. */
  kinds(): KindManifest[] | null;
}

const COMMAND_LINE_USER = 'command line';

const requestSchema = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('audit-verify') }),
  z.strictObject({
    command: z.literal('backup'),
    file: z.string().min(1),
    passphrase: z.string(),
    includeJournal: z.boolean(),
  }),
  z.strictObject({
    command: z.literal('user-add'),
    name: z.string(),
    password: z.string(),
    roles: z.array(z.string()),
  }),
  z.strictObject({ command: z.literal('user-reset-password'), name: z.string(), password: z.string() }),
  z.strictObject({ command: z.literal('vault-confirm') }),
  z.strictObject({ command: z.literal('plugin-list') }),
  z.strictObject({ command: z.literal('plugin-add'), path: z.string().min(1) }),
  z.strictObject({
    command: z.literal('plugin-approve'),
    id: z.string(),
    digest: z.string(),
    confirm: z.string().nullable(),
  }),
  z.strictObject({ command: z.literal('plugin-remove'), id: z.string() }),
]);

export type CommandRequest = z.infer<typeof requestSchema>;

export function commandHandler(parts: CommandParts): ControlHandler {
  return (request) => perform(parts, readRequest(request));
}

function readRequest(request: unknown): CommandRequest {
  const result = requestSchema.safeParse(request);
  if (result.success) return result.data;
  const [first] = fieldErrors(result.error);
  throw new SluiceError('invalid', `${first?.path ?? ''}: ${first?.message ?? 'not a command'}`);
}

async function perform(parts: CommandParts, request: CommandRequest): Promise<unknown> {
  switch (request.command) {
    case 'audit-verify':
      return parts.audit.verify();
    case 'plugin-list':
      return { kinds: parts.kinds(), plugins: parts.plugins.list() };
    case 'plugin-add': {
      const bundle = await readPackageAt(request.path);
      const { id, version } = bundle.manifest;
      const detail = versionText({ version, digest: bundle.digest });
      return act(parts, 'plugin.add', id, () => parts.plugins.add(bundle, COMMAND_LINE_USER), detail);
    }
    case 'plugin-approve': {
      const { id, digest, confirm } = request;
      const approve = () => parts.plugins.approve(id, digest, confirm, COMMAND_LINE_USER);
      return act(parts, 'plugin.approve', id, approve, actDetail(parts.plugins.list(), id, digest));
    }
    case 'plugin-remove': {
      const { id } = request;
      return act(parts, 'plugin.remove', id, () => parts.plugins.remove(id), actDetail(parts.plugins.list(), id));
    }
    case 'backup':
      return act(parts, 'backup', 'backup', () =>
        writeBackup(request.file, () => parts.backup(request.passphrase, request.includeJournal)),
      );
    case 'user-add': {
      const { name, password, roles } = request;
      return act(parts, 'user.create', name, () => parts.people.addUser({ name, password, roles }));
    }
    case 'user-reset-password':
      return act(parts, 'user.change', request.name, () => parts.people.resetPassword(request.name, request.password));
    case 'vault-confirm':
      return act(parts, 'vault.confirm', 'vault', () => parts.confirmVault());
  }
}

/** Journaled like an act of the admin API: a row before it, without a status, and one with its outcome; one id binds them. */
async function act<T>(
  { audit }: CommandParts,
  name: string,
  target: string,
  perform: () => Promise<T>,
  detail = '',
): Promise<T> {
  const who = { requestId: randomUUID(), user: COMMAND_LINE_USER };
  const row = { ...who, act: name, target: target.slice(0, 64), ...(detail !== '' && { detail }) };
  await audit.record(row);
  try {
    const value = await perform();
    await audit.record({ ...row, status: 200 });
    return value;
  } catch (error) {
    const failure = asSluiceError(error);
    await audit.record({ ...row, code: failure.code, status: failure.status });
    throw failure;
  }
}

function asSluiceError(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  if (error instanceof VaultError) return new SluiceError('invalid', error.message, { cause: error });
  return new SluiceError('internal', 'Something went wrong inside Sluice; its log has the cause.', { cause: error });
}

/** Whole or not at all: written beside its place, then renamed. A file that is there already is never replaced. */
async function writeBackup(file: string, make: () => Promise<AsyncIterable<Uint8Array>>): Promise<{ file: string }> {
  if (existsSync(file))
    throw new SluiceError(
      'conflict',
      `The backup could not be written: ${file} is there already; expected a new file.`,
    );
  const partial = `${file}.part`;
  const bytes = await make();
  try {
    await pipeline(Readable.from(bytes), createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (cause) {
    if (!isCode(cause, 'EEXIST')) await rm(partial, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SluiceError('conflict', `The backup could not be written to ${file}: ${reason}`, { cause });
  }
  return { file };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
