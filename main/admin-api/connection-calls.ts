import type { ConnectionRecord, SentConnection } from '#common/contract/connection-records.ts';
import { connectionContract } from '#common/contract/connection.ts';
import { page } from '#common/contract/records.ts';
import type { ConnectionTest } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { connectionDefinition, type ConnectionDefinition } from '#common/model/connection.ts';
import { DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import type { StoredConnection } from '../contracts.ts';
import {
  clearSecrets,
  planSecrets,
  refsOf,
  secretFields,
  type SecretValues,
  withSecrets,
} from '../projects/connection-secrets.ts';
import { performAct } from './acts.ts';
import { checked, type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { forget } from './forget-secrets.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, putResource, refuseTaken, refuseWhileUsed, removeResource } from './resource-change.ts';
import { ruleBroken } from '#common/errors/rules.ts';

/**
 * Connections of a project (docs/spec/capabilities.md#devices). Their secrets are stored in the vault and leave it only
 * for the gateway: no response, journal row, event or log contains one. A new secret is written to the vault before the
 * store refers to it, and an old one is removed after the reference is gone, so that a crash in between leaves at worst
 * an unreferenced secret.
 */

export const connectionCalls = [
  defineCall(connectionContract.list, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      return page(services.projects.resources.list('connections', id).map((stored) => shown(services, stored)));
    },
  }),
  defineCall(connectionContract.create, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const sent = context.body;
      const row = { what: 'connection' as const, project, target: sent.id };
      const { stored } = await inTurn(services, context, { ...row, detail: place(sent) }, () => {
        refuseTaken(services, 'connections', project, sent.id);
        return save(services, context, project, sent, null);
      });
      return shown(services, stored);
    },
  }),
  defineCall(connectionContract.read, {
    handle: (services, context) => shown(services, connectionOf(services, context)),
  }),
  defineCall(connectionContract.change, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { id } = connectionOf(services, context).definition;
      const sent = context.body;
      if (sent.id !== id) throw invalid([ruleBroken('id', 'id_fixed', { id })]);
      const row = { what: 'connection' as const, project, target: id };
      const { stored, cleared } = await inTurn(
        services,
        context,
        { ...row, detail: place(sent) },
        () => {
          const before = connectionOf(services, context);
          if (before.definition.settings.kind !== sent.settings.kind) refuseOtherKind(services, project, id, sent);
          return save(services, context, project, sent, before);
        },
        (saved) => (saved.cleared.length > 0 ? { detail: `${place(sent)}; cleared ${saved.cleared.join(', ')}` } : {}),
      );
      return { ...shown(services, stored), cleared };
    },
  }),
  defineCall(connectionContract.remove, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { id } = connectionOf(services, context).definition;
      const row = { what: 'connection' as const, project, target: id };
      await inTurn(services, context, row, async () => {
        const stored = connectionOf(services, context);
        refuseWhileUsed(services, 'connections', project, [id]);
        await removeResource(services, 'connections', project, id);
        await forget(services, refsOf(stored));
      });
      return null;
    },
  }),
  defineCall(connectionContract.testDraft, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const sent = context.body;
      const before = services.projects.resources.get('connections', project, sent.id);
      const { definition, plan } = planned(services, sent, before);
      if (plan.cleared.length > 0) throw invalid(plan.cleared.map(elsewhere));
      const kept = clearSecrets({ definition, secrets: plan.kept }, services.secrets);
      return test(services, context, project, definition, { ...kept, ...plan.fresh });
    },
  }),
  defineCall(connectionContract.test, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const stored = connectionOf(services, context);
      return test(services, context, project, stored.definition, clearSecrets(stored, services.secrets));
    },
  }),
];

function connectionOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): StoredConnection {
  const { id } = projectOf(services, context);
  const stored = services.projects.resources.get('connections', id, context.param('connection'));
  if (stored === null) throw unknown('connection');
  return stored;
}

/** Secrets show only whether they exist: a secret that an older vault has lost does not. */
function shown({ secrets }: Services, { definition, secrets: refs }: StoredConnection): ConnectionRecord {
  const { id, name, settings } = definition;
  const maskedFields = secretFields(settings).map((field) => {
    const ref = refs[field];
    return [field, ref !== undefined && secrets.has(ref) ? { set: true } : null];
  });
  return { id, name, settings: { ...settings, ...Object.fromEntries(maskedFields) } };
}

function place({ settings }: SentConnection): string {
  return `${settings.kind} at ${String(settings['host'])}:${String(settings['port'])}`;
}

function planned(services: Services, sent: SentConnection, before: StoredConnection | null) {
  const none = Object.fromEntries(secretFields(sent.settings).map((field) => [field, null]));
  const definition = checked(connectionDefinition, { ...sent, settings: { ...sent.settings, ...none } });
  const plan = planSecrets(definition.settings, sent.settings, before, services.secrets);
  if (plan.missing.length > 0)
    throw invalid(plan.missing.map((field) => ruleBroken(`settings.${field}`, 'nothing_kept')));
  return { definition, plan };
}

async function save(
  services: Services,
  context: Context<unknown, unknown>,
  project: string,
  sent: SentConnection,
  before: StoredConnection | null,
) {
  const { definition, plan } = planned(services, sent, before);
  const fields = secretFields(plan.fresh);
  const refs = await services.secrets.put(
    fields.map((field) => plan.fresh[field] ?? ''),
    context.session.user.name,
  );
  const fresh = Object.fromEntries(fields.map((field, index) => [field, refs[index]]));
  const stored: StoredConnection = { definition, secrets: { ...plan.kept, ...fresh } };
  try {
    await putResource(services, 'connections', project, stored);
  } catch (error) {
    await forget(services, refs);
    throw error;
  }
  const used = new Set(refsOf(stored));
  await forget(services, before === null ? [] : refsOf(before).filter((ref) => !used.has(ref)));
  return { stored, cleared: plan.cleared };
}

/** Requirements of queries and tags for their connections. */
function refuseOtherKind({ projects }: Services, project: string, id: string, { settings }: SentConnection): void {
  const query = projects.resources.list('queries', project).find(({ connection }) => connection === id);
  if (query !== undefined && !DATABASE_KINDS.some((kind) => kind === settings.kind))
    throw new SluiceError('conflict', `The query "${query.id}" needs the connection "${id}" to be a database.`);
  const tag = projects.resources
    .list('tags', project)
    .find(({ source }) => 'connection' in source && source.connection === id && source.provider !== settings.kind);
  if (tag !== undefined)
    throw new SluiceError('conflict', `The tag "${tag.path}" needs the connection "${id}" to stay of its kind.`);
}

function elsewhere(field: string): { path: string; message: string } {
  return ruleBroken(`settings.${field}`, 'other_server');
}

async function test(
  services: Services,
  context: Context<unknown, unknown>,
  project: string,
  definition: ConnectionDefinition,
  values: SecretValues,
): Promise<ConnectionTest> {
  const connection = withSecrets(definition, values);
  const { kind, host, port } = definition.settings;
  const row = { type: 'test' as const, project, target: definition.id };
  return performAct(
    services,
    context,
    { ...row, detail: `${kind} at ${host}:${port}` },
    async () => {
      try {
        const { ok, text, durationMs } = await services.gateway.call('connection-test', { project, connection });
        return { ok, text: masked(text, values), durationMs };
      } catch (error) {
        throw error instanceof SluiceError ? new SluiceError(error.code, masked(error.message, values)) : error;
      }
    },
    ({ ok, durationMs }) => ({ detail: `${kind} at ${host}:${port}: ${ok ? 'answered' : 'failed'}`, durationMs }),
  );
}

/** A driver may quote its input. */
function masked(text: string, values: SecretValues): string {
  return Object.values(values).reduce((rest: string, value) => (value ? rest.replaceAll(value, '…') : rest), text);
}
