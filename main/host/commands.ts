import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { KindManifest } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { Logger } from '#common/node/log.ts';
import { performAct } from '../admin-api/acts.ts';
import type { Audit, People, Vault } from '../contracts.ts';
import type { Hub } from '../fleet/hub.ts';
import type { Left } from '../fleet/leave.ts';
import type { Fleet } from '../fleet/start.ts';
import type { PluginControl } from '../third-party/plugin-control.ts';
import { actDetail, versionText } from '../third-party/plugin-record.ts';
import { readArchive } from '../third-party/read-package.ts';
import { COMMAND_LINE_USER } from '../people/setup-session.ts';
import { VaultError } from '../vault/errors.ts';
import type { ControlHandler, Exchange } from './control-socket.ts';
import { beginSetup, type Doors, finishSetup, SetupTurn } from './setup-commands.ts';

/**
 * Commands of the command line on a data folder: through the socket of the running host or, if none runs, on the files,
 * which are then opened here. Both require ownership of the data folder, so there is no log-in; each action is
 * journaled as done on the command line. Files belong to the caller: their bytes are sent with the command and its
 * result.
 */
export interface CommandParts {
  audit: Audit;
  /** Base64url: verifies the journal without the vault. */
  auditKey(): string;
  people: Pick<
    People,
    'addUser' | 'resetPassword' | 'openSetupSession' | 'endSetupSession' | 'setUpAll' | 'setupNeeded'
  >;
  vault: Vault;
  backup(passphrase: string, includeJournal: boolean): Promise<AsyncIterable<Uint8Array>>;
  plugins: PluginControl;
  confirmVault(): Promise<void>;
  /** Null without a gateway, because only the gateway knows its kinds. */
  kinds(): KindManifest[] | null;
  /** Reloads the desired revision of a running pipeline into the gateway; null without a gateway. */
  restart: ((project: string, pipeline: string) => Promise<void>) | null;
  /** True for a host with a temporary data folder. */
  isDemo: boolean;
  /** Of a running hub or edge; null elsewhere. */
  fleet(): Fleet | null;
  /** Throws SluiceError `conflict` elsewhere than on an edge. */
  leaveFleet(): Promise<Left>;
  log: Logger;
  /** The address of the running host; null if none is running. */
  doors(): Doors | null;
}

const requestSchema = z.discriminatedUnion('command', [
  // Heads that a user kept, or a proof, are sent as bytes.
  z.strictObject({ command: z.literal('audit-verify'), kept: z.enum(['heads', 'proof']).default('heads') }),
  z.strictObject({ command: z.literal('audit-key') }),
  z.strictObject({
    command: z.literal('backup'),
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
  z.strictObject({ command: z.literal('plugin-add') }),
  z.strictObject({
    command: z.literal('plugin-approve'),
    id: z.string(),
    digest: z.string(),
    confirm: z.string().nullable(),
  }),
  z.strictObject({ command: z.literal('plugin-remove'), id: z.string() }),
  z.strictObject({ command: z.literal('is-demo') }),
  z.strictObject({ command: z.literal('pipeline-restart'), project: z.string(), pipeline: z.string() }),
  z.strictObject({
    command: z.literal('fleet-token'),
    edge: z.string(),
    ttlMs: z.int().positive(),
    replaces: z.boolean(),
  }),
  z.strictObject({
    command: z.literal('fleet-init'),
    place: z.strictObject({
      address: z.string().exactOptional(),
      host: z.string().exactOptional(),
      port: z.int().exactOptional(),
      program: z.string().nullable().exactOptional(),
    }),
  }),
  // The token is sent as bytes: it exceeds the line limit of a request.
  z.strictObject({ command: z.literal('fleet-join') }),
  z.strictObject({ command: z.literal('fleet-leave') }),
  z.strictObject({ command: z.literal('fleet-assign'), project: z.string(), edge: z.string() }),
  z.strictObject({ command: z.literal('fleet-expel'), edge: z.string() }),
  z.strictObject({ command: z.literal('fleet-status') }),
  z.strictObject({ command: z.literal('setup-state') }),
  z.strictObject({ command: z.literal('setup-begin'), pid: z.int().positive() }),
  // The users are sent as bytes: a hundred of them exceed the line limit of a request.
  z.strictObject({ command: z.literal('setup-finish') }),
  z.strictObject({ command: z.literal('setup-end') }),
]);

export type CommandRequest = z.infer<typeof requestSchema>;

export function commandHandler(parts: CommandParts): ControlHandler {
  const turn = new SetupTurn();
  return (request, exchange) => perform(parts, turn, readRequest(request), exchange);
}

function readRequest(request: unknown): CommandRequest {
  const result = requestSchema.safeParse(request);
  if (result.success) return result.data;
  const [first] = fieldErrors(result.error);
  throw new SluiceError('invalid', `${first?.path ?? ''}: ${first?.message ?? 'not a command'}`);
}

async function perform(
  parts: CommandParts,
  turn: SetupTurn,
  request: CommandRequest,
  { body, send }: Exchange,
): Promise<unknown> {
  switch (request.command) {
    case 'audit-verify':
      return parts.audit.verify(body.length > 0 ? { [request.kept]: Buffer.from(body).toString('utf8') } : {});
    case 'audit-key':
      return act(parts, 'audit.key', 'journal', async () => parts.auditKey());
    case 'plugin-list':
      return { kinds: parts.kinds(), plugins: parts.plugins.list() };
    case 'plugin-add': {
      const bundle = await readArchive(body);
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
      // Done when the bytes are stored in the requested place.
      return act(parts, 'backup', 'backup', async () =>
        send(await parts.backup(request.passphrase, request.includeJournal)),
      );
    case 'user-add': {
      const { name, password, roles } = request;
      return act(parts, 'user.create', name, () => parts.people.addUser({ name, password, roles }));
    }
    case 'user-reset-password':
      return act(parts, 'user.change', request.name, () => parts.people.resetPassword(request.name, request.password));
    case 'is-demo':
      return parts.isDemo;
    case 'pipeline-restart': {
      const { project, pipeline } = request;
      return act(
        parts,
        'pipeline.start',
        pipeline,
        () => restart(parts, project, pipeline),
        'for a new plugin version',
      );
    }
    case 'fleet-token':
      return hubOf(parts).token(request.edge, request.ttlMs, COMMAND_LINE_USER, request.replaces);
    case 'fleet-init':
      return membership(parts, 'fleet.create', async () => {
        const { becomeHub } = await import('../fleet/hub-state.ts');
        return becomeHub(parts.vault, request.place);
      });
    case 'fleet-join':
      return membership(parts, 'fleet.join', () => joinWith(parts, Buffer.from(body).toString('utf8')));
    case 'fleet-leave':
      return membership(parts, 'fleet.leave', () => parts.leaveFleet());
    case 'fleet-assign':
      return hubOf(parts).assign(request.project, request.edge, COMMAND_LINE_USER);
    case 'fleet-expel':
      return hubOf(parts).expel(request.edge, COMMAND_LINE_USER);
    case 'fleet-status':
      return parts.fleet()?.status() ?? null;
    case 'setup-state':
      return !parts.people.setupNeeded;
    case 'setup-begin':
      return beginSetup(parts, turn, request.pid);
    case 'setup-finish': {
      const finish = finishSetup(parts.people, body);
      return act(parts, 'setup', finish.target, finish.perform, finish.detail);
    }
    case 'setup-end':
      turn.end();
      return parts.people.endSetupSession();
    case 'vault-confirm':
      return act(parts, 'vault.confirm', 'vault', () => parts.confirmVault());
  }
}

/** `isRunning`: a host runs, for which the change takes effect with its next start. */
async function membership<T>(parts: CommandParts, name: string, perform: () => Promise<T>) {
  const result = await act(parts, name, 'fleet', perform);
  return { isRunning: parts.restart !== null, result };
}

async function joinWith({ vault, log }: CommandParts, text: string): Promise<{ edge: string; address: string }> {
  const [{ join }, { readToken }] = await Promise.all([import('../fleet/join.ts'), import('../fleet/token.ts')]);
  return join(vault, readToken(text), log);
}

function hubOf({ fleet }: CommandParts): Hub {
  const hub = fleet()?.hub ?? null;
  if (hub === null)
    throw new SluiceError('conflict', 'No hub is running on this data folder; "sluice hub" starts one.');
  return hub;
}

async function restart({ restart: again }: CommandParts, project: string, pipeline: string): Promise<void> {
  if (again === null) throw new SluiceError('conflict', 'No Sluice is running on this data folder.');
  await again(project, pipeline);
}

/**
 * Recorded like an action of the admin API: an action that was done but not recorded is reported as such, never as a
 * failure.
 */
function act<T>(
  { audit }: CommandParts,
  name: string,
  target: string,
  perform: () => Promise<T>,
  detail = '',
): Promise<T> {
  const who = { requestId: randomUUID(), user: COMMAND_LINE_USER };
  const row = { act: name, target: target.slice(0, 64), ...(detail !== '' && { detail }) };
  return performAct({ audit }, { who }, row, () =>
    perform().catch((error: unknown) => Promise.reject(asSluiceError(error))),
  );
}

function asSluiceError(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  if (error instanceof VaultError) return new SluiceError('invalid', error.message, { cause: error });
  return new SluiceError('internal', 'An internal error occurred in Sluice; its log has the cause.', { cause: error });
}
