/**
 * The databases of all projects, behind the broker: the pool of each connection (or, for `embedded`, its process) is
 * created on first use and ended when its settings change.
 *
 * Limits: rows, bytes and time of each call (limits.ts); the time limit of the broker ends everything else.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ConnectionTest, type DatabaseFigures, FIGURES_MAX } from '#common/control/messages.ts';
import { type ConnectionDefinition, EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { type DatabaseSchema, SCHEMA_COLUMNS_MAX } from '#common/model/database-schema.ts';
import type { NamedQuery, QueryResult } from '#common/model/named-query.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { Logger } from '#common/node/log.ts';
import type { DiskRoom } from '../disk-meter.ts';
import { NodeError } from '#sdk';
import type { TargetGuard } from '#net/target-guard.ts';
import type { CallContext, Capability } from '../contract.ts';
import type { KnownThing } from '../writes/planned-write.ts';
import { writtenTable } from '../writes/written-table.ts';
import type { Database, Limits } from './contract.ts';
import { EmbeddedDatabase } from './embedded/embedded.ts';
import { messageOf } from './errors.ts';
import { SCHEMA_MS_MAX, SQL_ROWS_MAX, STATEMENT_MS_MAX, TEST_MS_MAX } from './limits.ts';
import { openServer } from './open-server.ts';
import { tablesOf } from './schema.ts';
import { typedValues, untypedValues } from './values.ts';

export interface DatabaseParts {
  readonly dataDir: string;
  readonly guard: TargetGuard;
  readonly log: Logger;
  readonly disk: DiskRoom;
}

type Call = 'db.query' | 'db.sql' | 'db.transaction' | 'db.procedure';

export interface Databases extends Capability<Call> {
  configure(project: string, resources: ProjectResources | null): Promise<void>;
  /** Connects and queries the version; never throws. */
  test(connection: ConnectionDefinition): Promise<ConnectionTest>;
  /** Runs a draft as if it were saved; `readOnly`: in a mode in which it cannot change data. Throws NodeError. */
  tryQuery(
    project: string,
    draft: NamedQuery,
    params: Readonly<Record<string, unknown>>,
    readOnly: boolean,
  ): Promise<QueryResult>;
  /** Tables and views of a saved connection or of `embedded`. Throws NodeError. */
  schema(project: string, connection: string): Promise<DatabaseSchema>;
  /** The figures of the connections that were used; at most FIGURES_MAX. */
  figures(): DatabaseFigures[];
}

export function createDatabases(parts: DatabaseParts): Databases {
  return new DatabaseCapability(parts);
}

interface Project {
  readonly queries: ReadonlyMap<string, NamedQuery>;
  readonly connections: ReadonlyMap<string, ConnectionDefinition>;
  readonly open: Map<string, { readonly definition: ConnectionDefinition | null; readonly database: Database }>;
}

class DatabaseCapability implements Databases {
  readonly #parts: DatabaseParts;
  readonly #projects = new Map<string, Project>();
  readonly #closing = new Set<Promise<void>>();

  readonly calls: Databases['calls'] = {
    'db.query': ({ name, params }, context, signal) =>
      this.#query(context.project, this.#named(context.project, name), params, limitsOf(context, signal)),
    'db.sql': ({ connection, sql, params }, context, signal) =>
      this.#database(context.project, connection).run(
        { sql, params: untypedValues(params) },
        limitsOf(context, signal),
      ),
    'db.transaction': ({ connection, statements }, context, signal) =>
      this.#database(context.project, connection).transaction(
        statements.map(({ sql, params }) => ({ sql, params: untypedValues(params) })),
        limitsOf(context, signal),
      ),
    'db.procedure': ({ connection, procedure, params }, context, signal) =>
      this.#database(context.project, connection).procedure(
        procedure,
        untypedValues(params),
        limitsOf(context, signal),
      ),
  };

  /** Statements that only read are performed where the database refuses changes. */
  readonly rehearsals: NonNullable<Databases['rehearsals']> = {
    'db.query': ({ name, params }, context, signal) => {
      const query = this.#named(context.project, name);
      const limits = limitsOf(context, signal);
      if (writtenTable(query.sql) === null) return this.#query(context.project, query, params, limits, 'read');
      typedValues(query.params, params);
      this.#database(context.project, query.connection);
      return NO_ROWS;
    },
    'db.sql': ({ connection, ...statement }, context, signal) =>
      rehearseSql(this.#database(context.project, connection), statement, limitsOf(context, signal)),
    'db.transaction': async ({ connection, statements }, context, signal) => {
      const database = this.#database(context.project, connection);
      const results: QueryResult[] = [];
      for (const statement of statements)
        results.push(await rehearseSql(database, statement, limitsOf(context, signal)));
      return results;
    },
    'db.procedure': ({ connection }, context) => {
      this.#database(context.project, connection);
      return NO_ROWS;
    },
  };

  constructor(parts: DatabaseParts) {
    this.#parts = parts;
  }

  /**
   * Returns immediately: connections that are no longer needed are closed in the background, so that a hung server
   * delays nothing.
   */
  configure(project: string, resources: ProjectResources | null): Promise<void> {
    const known = this.#projects.get(project);
    const connections = new Map(resources?.connections.map((connection) => [connection.id, connection]));
    for (const [id, { definition, database }] of known?.open ?? []) {
      const stays = resources !== null && isDeepStrictEqual(connections.get(id) ?? null, definition);
      if (stays) continue;
      known?.open.delete(id);
      this.#close(database);
    }
    if (resources === null) this.#projects.delete(project);
    else {
      const queries = new Map(resources.queries.map((query) => [query.id, query]));
      this.#projects.set(project, { queries, connections, open: known?.open ?? new Map() });
    }
    return Promise.resolve();
  }

  known(project: string, name: string): KnownThing | null {
    const query = this.#projects.get(project)?.queries.get(name);
    return query === undefined ? null : { device: query.connection, sql: query.sql };
  }

  async test(connection: ConnectionDefinition): Promise<ConnectionTest> {
    const began = performance.now();
    const testResult = (ok: boolean, text: string): ConnectionTest => ({
      ok,
      text,
      durationMs: Math.round(performance.now() - began),
    });
    let database: Database | undefined;
    try {
      database = openServer(connection.settings, this.#parts);
      const limits = {
        rowsMax: 1,
        timeoutMs: TEST_MS_MAX + connectMs(connection),
        signal: new AbortController().signal,
      };
      return testResult(true, await database.probe(limits));
    } catch (error) {
      return testResult(false, messageOf(error));
    } finally {
      await database?.close();
    }
  }

  tryQuery(
    project: string,
    draft: NamedQuery,
    params: Readonly<Record<string, unknown>>,
    readOnly: boolean,
  ): Promise<QueryResult> {
    const { signal } = new AbortController();
    const limits = { rowsMax: draft.rowsMax, timeoutMs: STATEMENT_MS_MAX, signal };
    return this.#query(project, draft, params, limits, readOnly ? 'read' : 'run');
  }

  async schema(project: string, connection: string): Promise<DatabaseSchema> {
    const database = this.#database(project, connection);
    const limits = { rowsMax: SCHEMA_COLUMNS_MAX, timeoutMs: SCHEMA_MS_MAX, signal: new AbortController().signal };
    const { rows, truncated } = await database.run({ sql: database.schemaSql, params: new Map() }, limits);
    return { tables: tablesOf(rows), truncated };
  }

  figures(): DatabaseFigures[] {
    const all: DatabaseFigures[] = [];
    for (const [project, { open }] of this.#projects)
      for (const [connection, { database }] of open) {
        const figures = all.length < FIGURES_MAX ? database.figures() : null;
        if (figures !== null) all.push({ project, connection, ...figures });
      }
    return all;
  }

  async close(): Promise<void> {
    for (const project of this.#projects.values()) {
      for (const { database } of project.open.values()) this.#close(database);
      project.open.clear();
    }
    this.#projects.clear();
    await Promise.all(this.#closing);
  }

  async #query(
    project: string,
    query: NamedQuery,
    params: Readonly<Record<string, unknown>>,
    limits: Limits,
    how: 'run' | 'read' = 'run',
  ): Promise<QueryResult> {
    const values = typedValues(query.params, params);
    const timeoutMs = Math.min(query.timeout * 1000, limits.timeoutMs);
    return this.#database(project, query.connection)[how](
      { sql: query.sql, params: values },
      { ...limits, rowsMax: query.rowsMax, timeoutMs },
    );
  }

  #named(project: string, name: string): NamedQuery {
    const query = this.#projects.get(project)?.queries.get(name);
    if (query === undefined) throw new NodeError('query_unknown', `the project has no named query "${name}"`);
    return query;
  }

  #database(project: string, id: string): Database {
    const known = this.#projects.get(project);
    if (known === undefined) throw new NodeError('connection_unknown', `the project "${project}" is not loaded`);
    const open = known.open.get(id);
    if (open !== undefined) return open.database;
    const definition = id === EMBEDDED_CONNECTION ? null : known.connections.get(id);
    if (definition === undefined) throw new NodeError('connection_unknown', `the project has no connection "${id}"`);
    const database =
      definition === null
        ? new EmbeddedDatabase(this.#parts.dataDir, project, {
            log: this.#parts.log,
            disk: {
              room: () => this.#parts.disk.room(project),
              reserve: () => this.#parts.disk.reserve(),
              grew: (bytes, pipeline) => this.#parts.disk.grew(project, 'database', bytes, pipeline),
            },
          })
        : openServer(definition.settings, this.#parts);
    known.open.set(id, { definition, database });
    return database;
  }

  #close(database: Database): void {
    const closing = database
      .close()
      .catch((error: unknown) => this.#parts.log.warn('a database was not closed cleanly', { error }))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

const NO_ROWS: QueryResult = { rows: [], rowCount: 0, truncated: false };

async function rehearseSql(
  database: Database,
  { sql, params }: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> },
  limits: Limits,
): Promise<QueryResult> {
  return writtenTable(sql) === null ? database.read({ sql, params: untypedValues(params) }, limits) : NO_ROWS;
}

function connectMs({ settings }: ConnectionDefinition): number {
  return 'connectTimeout' in settings ? settings.connectTimeout * 1000 : 0;
}

function limitsOf(context: CallContext, signal: AbortSignal): Limits {
  const timeoutMs = Math.max(1, Math.min(context.remainingMs(), STATEMENT_MS_MAX));
  return { rowsMax: SQL_ROWS_MAX, timeoutMs, signal, pipeline: context.pipeline };
}
