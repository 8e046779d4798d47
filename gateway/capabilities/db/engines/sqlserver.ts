/**
 * SQL Server through `tedious`. Statements are executed with sp_executesql and bound values.
 *
 * Security: connects to the address that the guard has checked, through a custom connector; with `verify` the
 * certificate is checked for the host name of the connection against `ca` or the system's list. A redirection by the
 * server (routing) uses the same connector, so it can only lead to the same address. Known weaknesses: never tested
 * against a real server, only against sockets that refuse, stay silent or use another protocol. T-SQL needs no `;`
 * between statements, so several in one call are refused only if there is one between them. Decimals are numbers: the
 * driver converts them and loses digits beyond the fifteenth. OUTPUT parameters of procedures are omitted.
 */
import type * as TediousModule from 'tedious';
import type { Connection, ConnectionConfiguration, Request } from 'tedious';
import type { QueryResult } from '#common/model/named-query.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';
import type { DatabaseSettings as Settings, SqlValue } from '../contract.ts';
import { dial, withinConnectTime } from '../dial.ts';
import { fieldOf, lostConnection, messageOf, sqlError, unreachable } from '../errors.ts';
import { CANCEL_MS_MAX } from '../limits.ts';
import { integerValue, type RowCollector, sizeOf } from '../rows.ts';
import type { Engine, Session } from '../session.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import { WireGuard } from '../wire.ts';
import { sqlServerTypeOf, sqlServerValue } from './sqlserver-values.ts';

type Tedious = Pick<typeof TediousModule, 'Connection' | 'Request' | 'TYPES'>;

/** NOT NULL, reference or check, unique constraint, unique index. */
const CONSTRAINTS = new Set([515, 547, 2601, 2627]);

const SCHEMA_SQL = `
  SELECT NULLIF(TABLE_SCHEMA, SCHEMA_NAME()) AS schema_name, TABLE_NAME AS table_name, COLUMN_NAME AS column_name,
    DATA_TYPE AS type_name
  FROM INFORMATION_SCHEMA.COLUMNS
  ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;

export function sqlServerEngine(settings: Settings, guard: TargetGuard): Engine {
  return {
    dialect: 'sqlserver',
    versionSql: 'SELECT @@VERSION',
    schemaSql: SCHEMA_SQL,
    open: () => open(settings, guard),
  };
}

async function open(settings: Settings, guard: TargetGuard): Promise<Session> {
  const where = `${settings.host}:${settings.port}`;
  const limitMs = settings.connectTimeout * 1000;
  let connection: Connection | undefined;
  const opening = async (): Promise<Session> => {
    // Checked before the driver is loaded: a refused target gets the correct error, not that of a failed connector.
    const target = await guard.resolve(settings.host, settings.port);
    const tedious: Tedious = await import('tedious');
    const wire = new WireGuard();
    const begun = new tedious.Connection(sqlServerConfig(settings, guard, wire));
    connection = begun;
    const session = new SqlServerSession(tedious, { connection: begun, wire }, settings);
    begun.once(
      'end',
      guard.hold(target, (refusal) => session.refuse(refusal)),
    );
    await session.connected();
    return session;
  };
  const tearDown = () => connection?.close();
  try {
    return await withinConnectTime(where, limitMs, opening(), tearDown);
  } catch (error) {
    tearDown();
    throw unreachable(where, error, settings.password);
  }
}

export function sqlServerConfig(
  settings: Settings,
  guard: TargetGuard,
  wire = new WireGuard(),
): ConnectionConfiguration {
  const { host, port, tls, ca } = settings;
  const limitMs = settings.connectTimeout * 1000;
  return {
    server: host,
    authentication: { type: 'default', options: { userName: settings.user, password: settings.password ?? '' } },
    options: {
      port,
      async connector() {
        const socket = await dial(guard, host, port, limitMs);
        wire.watch(socket);
        return socket;
      },
      database: settings.database,
      encrypt: tls !== 'off',
      trustServerCertificate: tls !== 'verify',
      ...(ca === null ? {} : { cryptoCredentialsDetails: { ca } }),
      connectTimeout: limitMs,
      // The deadline of the call ends a request.
      requestTimeout: 0,
      cancelTimeout: CANCEL_MS_MAX,
      maxRetriesOnTransientErrors: 0,
      abortTransactionOnError: true,
      rowCollectionOnDone: false,
      rowCollectionOnRequestCompletion: false,
      useColumnNames: false,
      useUTC: true,
      appName: 'Sluice',
    },
  };
}

class SqlServerSession implements Session {
  readonly #tedious: Tedious;
  readonly #connection: Connection;
  readonly #wire: WireGuard;
  readonly #settings: Settings;
  #usable = true;
  #refusal: NodeError | null = null;
  /** Rejects `connected`, because the driver does not report a connection that closes while the session starts. */
  #failBeginning: (refusal: NodeError) => void = () => undefined;

  constructor(tedious: Tedious, { connection, wire }: { connection: Connection; wire: WireGuard }, settings: Settings) {
    this.#tedious = tedious;
    this.#connection = connection;
    this.#wire = wire;
    this.#settings = settings;
    connection.on('error', () => this.#lost());
    connection.on('end', () => this.#lost());
  }

  get usable(): boolean {
    return this.#usable;
  }

  /** The driver updates this field from server messages; it is not in its declared types. */
  get inTransaction(): boolean {
    return Reflect.get(this.#connection, 'inTransaction');
  }

  /** Rejects with the error of the driver, or with the refusal. */
  connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#failBeginning = reject;
      this.#connection.connect((error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  /** Its address is no longer allowed. */
  refuse(refusal: NodeError): void {
    this.#refusal = refusal;
    this.#failBeginning(refusal);
    this.close();
  }

  query({ sql, values }: BoundSql, rows: RowCollector, mayCut: boolean): Promise<QueryResult> {
    return this.#request(sql, rows, mayCut, (request) => {
      for (const [index, value] of values.entries()) this.#add(request, `p${index + 1}`, value);
      this.#connection.execSql(request);
    });
  }

  procedure(name: string, params: ReadonlyMap<string, SqlValue>, rows: RowCollector): Promise<QueryResult> {
    return this.#request(name, rows, false, (request) => {
      for (const [param, value] of params) this.#add(request, param, value);
      this.#connection.callProcedure(request);
    });
  }

  begin(): Promise<void> {
    return this.#promised((done) => this.#connection.beginTransaction(done));
  }

  beginReadOnly(): Promise<void> {
    return Promise.reject(new NodeError('sql_invalid', 'SQL Server has no read-only transactions'));
  }

  commit(): Promise<void> {
    return this.#promised((done) => this.#connection.commitTransaction(done));
  }

  async rollback(): Promise<void> {
    // With XACT_ABORT the server has already ended it.
    if (this.inTransaction) await this.#promised((done) => this.#connection.rollbackTransaction(done));
  }

  ping(): Promise<void> {
    return this.#promised((done) => this.#connection.execSql(new this.#tedious.Request('SELECT 1', done)));
  }

  reset(): Promise<void> {
    return this.#promised((done) => this.#connection.reset(done));
  }

  async cancel(): Promise<void> {
    this.#connection.cancel();
  }

  close(): void {
    this.#usable = false;
    this.#connection.close();
  }

  #request(sql: string, rows: RowCollector, mayCut: boolean, send: (request: Request) => void): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const request = new this.#tedious.Request(sql, (error: unknown, rowCount?: number) => {
        if (error === null || error === undefined) resolve(rows.result(rowCount ?? 0));
        else reject(this.#failure(error));
      });
      request.on('columnMetadata', (columns) => {
        if (Array.isArray(columns)) rows.columns(columns.map(({ colName }) => colName));
      });
      request.on('row', (columns: { value: unknown }[]) => {
        this.#wire.mark();
        if (rows.full) return;
        const values = columns.map(({ value }) => sqlServerValue(value));
        rows.add(
          values,
          values.reduce((sum: number, value) => sum + sizeOf(value), 0),
        );
        if (!rows.full || !mayCut) return;
        resolve(rows.result(0));
        this.close();
      });
      this.#wire.mark();
      send(request);
    });
  }

  #add(request: Request, name: string, value: SqlValue): void {
    const type = this.#tedious.TYPES[sqlServerTypeOf(value)];
    const sent = typeof value === 'bigint' ? integerValue(value) : value;
    request.addParameter(name, type, sent instanceof Uint8Array ? Buffer.from(sent) : sent);
  }

  #promised(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      ask((error) => {
        if (error === null || error === undefined) resolve();
        else reject(this.#failure(error));
      });
    });
  }

  #lost(): void {
    this.#usable = false;
  }

  #failure(error: unknown): Error {
    const number = fieldOf(error, 'number');
    if (typeof number !== 'number') {
      this.#usable = false;
      return lostConnection(this.#refusal ?? error);
    }
    return sqlError(CONSTRAINTS.has(number), messageOf(error), error, this.#settings.password);
  }
}
