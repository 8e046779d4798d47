import { queriesContract, queryContract } from '#common/contract/query.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services } from './call.ts';
import { callerOf } from './capability.ts';
import { crudCalls, resourceOf } from './crud-calls.ts';
import { lackingToWrite } from './in-force.ts';
import { projectOf } from './project-calls.ts';

/**
 * Named queries. A test executes the given SQL with the user's values bound, including any changes that it makes. For a
 * user who may not activate the query, it runs in a mode in which the database refuses changes.
 */

export const queryCalls = [
  ...crudCalls({ family: 'queries', contract: queriesContract, check: expectDatabase }),
  defineCall(queryContract.schema, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const connection = context.param('connection');
      expectDatabase(services, project, { connection });
      return services.gateway.call('database-schema', { project, connection });
    },
  }),
  defineCall(queryContract.testDraft, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { query, params: values } = context.body;
      expectDatabase(services, project, query, 'query.');
      return test(services, context, project, query, values);
    },
  }),
  defineCall(queryContract.test, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      return test(services, context, project, resourceOf(services, context, 'queries'), context.body.params);
    },
  }),
];

function expectDatabase(
  { projects }: Services,
  project: string,
  { connection }: Pick<NamedQuery, 'connection'>,
  prefix = '',
): void {
  if (connection === EMBEDDED_CONNECTION) return;
  const kind = projects.resources.get('connections', project, connection)?.definition.settings.kind;
  if (DATABASE_KINDS.some((database) => database === kind)) return;
  const found = kind === undefined ? `there is no connection "${connection}"` : `"${connection}" is no database`;
  const message = `${found}; expected "${EMBEDDED_CONNECTION}" or a connection of this project to a database`;
  throw invalid([{ path: `${prefix}connection`, message }]);
}

async function test(
  services: Services,
  context: Context<unknown, unknown>,
  project: string,
  query: NamedQuery,
  values: Record<string, unknown>,
) {
  const row = { type: 'test' as const, project, target: query.id };
  const lacking = lackingToWrite(services, context, project);
  const readOnly = lacking.length > 0;
  const detail = `on ${query.connection}${readOnly ? ', read-only' : ''}`;
  return performAct(services, context, { ...row, detail }, async () => {
    if (readOnly) expectReadOnly(services, project, query, lacking);
    const who = callerOf(context.who);
    const testing = services.gateway.call('query-test', { project, query, params: values, readOnly, who });
    return testing.catch((error: unknown) => {
      throw readOnly ? withReason(error, lacking) : error;
    });
  });
}

/** SQL Server has no read-only transactions. */
function expectReadOnly(
  { projects }: Services,
  project: string,
  { connection }: NamedQuery,
  lacking: readonly string[],
): void {
  const settings = projects.resources.get('connections', project, connection)?.definition.settings;
  if (settings?.kind !== 'sqlserver') return;
  throw new SluiceError(
    'permission_missing',
    `A test on SQL Server needs the permission ${lacking.join(', ')}: it has no read-only transactions.`,
  );
}

function withReason(error: unknown, lacking: readonly string[]): unknown {
  if (!(error instanceof SluiceError)) return error;
  const { code, message, errors, cause } = error;
  const detail = `${message.replace(/\.$/, '')}; the test ran read-only, and a change needs the permission ${lacking.join(', ')}.`;
  return new SluiceError(code, detail, { ...(errors && { errors }), cause });
}
