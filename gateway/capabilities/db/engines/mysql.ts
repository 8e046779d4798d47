/**
 * MySQL and MariaDB through `mysql2`. Each statement is prepared and executed with bound values.
 *
 * Security: connects to the address that the guard has checked; one statement per call (`multipleStatements` off); the
 * server cannot request a local file (LOCAL INFILE off, and no stream for one); no authentication plugin sends the
 * password in clear text; no code is generated from column names (`disableEval`). With `verify` the certificate is
 * checked against `ca` or the system's list, and for the host name or address of the connection.
 */
import type { Connection, ConnectionOptions, FieldPacket, IntegerTypedParameterFactory, ResultSetHeader } from 'mysql2';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { QueryResult } from '#common/model/named-query.ts';
import { NodeError } from '#sdk';
import type { TargetGuard } from '#net/target-guard.ts';
import type { DatabaseSettings as Settings, SqlValue } from '../contract.ts';
import { dial, withinConnectTime } from '../dial.ts';
import { fieldOf, lostConnection, messageOf, sqlError, unreachable } from '../errors.ts';
import { CANCEL_MS_MAX } from '../limits.ts';
import { RowCollector, sizeOf } from '../rows.ts';
import type { Engine, Session } from '../session.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import { WireGuard } from '../wire.ts';
import { mysqlParam, mysqlValue } from './mysql-values.ts';

/** Times in UTC; backslashes in texts as the scanner expects them. */
const SETUP = `SET time_zone = '+00:00', sql_mode = REPLACE(@@sql_mode, 'NO_BACKSLASH_ESCAPES', '')`;
const STATEMENTS_KEPT = 50;
const PARAMETERS_SQL = `SELECT PARAMETER_NAME, PARAMETER_MODE FROM information_schema.PARAMETERS
WHERE SPECIFIC_SCHEMA = COALESCE(?, DATABASE()) AND SPECIFIC_NAME = ? AND ROUTINE_TYPE = 'PROCEDURE' ORDER BY ORDINAL_POSITION`;
const PARAMETERS_MAX = 1_000;
/** Unknown, not null, duplicate, foreign key, check: error numbers of MySQL and MariaDB. */
const CONSTRAINTS = new Set([1022, 1048, 1062, 1169, 1216, 1217, 1451, 1452, 1557, 3819, 4025]);
/** Server shutting down, session killed, idle for too long. */
const GONE = new Set([1053, 1077, 1078, 1079, 1927, 3169, 4031]);
const IN_TRANSACTION = 1;

const SCHEMA_SQL = `
  SELECT NULL AS schema_name, table_name AS table_name, column_name AS column_name, data_type AS type_name
  FROM information_schema.columns
  WHERE table_schema = DATABASE()
  ORDER BY table_name, ordinal_position`;

export function mysqlEngine(settings: Settings, guard: TargetGuard): Engine {
  return { dialect: 'mysql', versionSql: 'SELECT VERSION()', schemaSql: SCHEMA_SQL, open: () => open(settings, guard) };
}

async function open(settings: Settings, guard: TargetGuard): Promise<MysqlSession> {
  const where = `${settings.host}:${settings.port}`;
  const limitMs = settings.connectTimeout * 1000;
  let connection: Connection | undefined;
  let socket: Socket | undefined;
  const opening = async (): Promise<MysqlSession> => {
    const { createConnection, TypedParameter } = (await import('mysql2')).default;
    const stream = await dial(guard, settings.host, settings.port, limitMs);
    socket = stream;
    const wire = new WireGuard();
    wire.watch(stream);
    connection = createConnection({ ...optionsOf(settings), stream });
    if (settings.tls !== 'off') onTls(connection, settings, wire);
    const session = new MysqlSession(
      connection,
      { socket: stream, wire, whole: TypedParameter.LONGLONG },
      settings,
      guard,
    );
    await session.connected();
    await session.plain(SETUP);
    return session;
  };
  const tearDown = () => {
    connection?.destroy();
    socket?.destroy();
  };
  try {
    return await withinConnectTime(where, limitMs, opening(), tearDown);
  } catch (error) {
    tearDown();
    throw unreachable(where, error, settings.password);
  }
}

function optionsOf(settings: Settings): ConnectionOptions {
  const { tls, ca } = settings;
  const verified = tls === 'verify';
  const named = verified && isIP(settings.host) === 0;
  const trusted = ca === null ? {} : { ca };
  return {
    host: settings.host,
    port: settings.port,
    user: settings.user,
    password: settings.password ?? '',
    database: settings.database,
    ...(tls === 'off' ? {} : { ssl: { ...trusted, rejectUnauthorized: verified, verifyIdentity: named } }),
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    rowsAsArray: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS'],
    enableCleartextPlugin: false,
    disableEval: true,
    maxPreparedStatements: STATEMENTS_KEPT,
    connectTimeout: settings.connectTimeout * 1000,
  };
}

/** The driver's method for TLS, which is missing in its declared types. */
interface Upgrade {
  stream: TLSSocket;
  startTLS(done: (error?: Error) => void): void;
}

/**
 * Before the password is sent. For an address, mysql2 passes no name to Node, which would then accept a certificate for
 * `localhost` from any machine, and none for the address itself.
 */
function onTls(connection: Connection, { tls, host }: Settings, wire: WireGuard): void {
  const inner: unknown = connection;
  const upgrade = inner as Upgrade;
  const start = upgrade.startTLS.bind(connection);
  const fault = () =>
    tls === 'verify' && isIP(host) !== 0
      ? process.getBuiltinModule('node:tls').checkServerIdentity(host, upgrade.stream.getPeerCertificate(true))
      : undefined;
  upgrade.startTLS = (done) => {
    start((error) => done(error ?? fault()));
    wire.watch(upgrade.stream);
  };
}

class MysqlSession implements Session {
  readonly #connection: Connection;
  readonly #settings: Settings;
  readonly #guard: TargetGuard;
  readonly #socket: Socket;
  readonly #wire: WireGuard;
  readonly #whole: IntegerTypedParameterFactory;
  #usable = true;
  #transaction = false;
  /** Rejects the current statement: mysql2 reports a lost connection only to the connection. */
  #fail: ((error: unknown) => void) | null = null;

  constructor(
    connection: Connection,
    { socket, wire, whole }: { socket: Socket; wire: WireGuard; whole: IntegerTypedParameterFactory },
    settings: Settings,
    guard: TargetGuard,
  ) {
    this.#connection = connection;
    this.#socket = socket;
    this.#wire = wire;
    this.#whole = whole;
    this.#settings = settings;
    this.#guard = guard;
    connection.on('error', (error: unknown) => this.#lost(error));
    connection.on('end', () => this.#lost(undefined));
  }

  get usable(): boolean {
    return this.#usable;
  }

  get inTransaction(): boolean {
    return this.#transaction;
  }

  get threadId(): number {
    return this.#connection.threadId;
  }

  /** Rejects with the error of the driver. */
  connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.connect((error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** An internal statement without values, sent with the text protocol. */
  plain(sql: string): Promise<void> {
    return this.#promised((done) => this.#connection.query(sql, done));
  }

  query({ sql, values }: BoundSql, rows: RowCollector, mayCut: boolean): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#fail = null;
        reject(this.#failure(error));
      };
      this.#fail = fail;
      this.#wire.mark();
      const bound = values.map((value) => mysqlParam(value, this.#whole));
      const command = this.#connection.execute({ sql, values: bound, rowsAsArray: true });
      let fields: readonly FieldPacket[] | undefined;
      let changed = 0;
      command.on('fields', (found: FieldPacket[] | undefined) => {
        fields = found;
        if (found !== undefined) rows.columns(found.map(({ name }) => name));
      });
      command.on('result', (result: unknown) => {
        this.#wire.mark();
        if (!Array.isArray(result)) {
          const { affectedRows, serverStatus } = result as ResultSetHeader;
          if (this.#transaction) this.#transaction = (serverStatus & IN_TRANSACTION) !== 0;
          changed += affectedRows;
          return;
        }
        if (rows.full) return;
        const read = result.map((value: unknown, index) => mysqlValue(fields?.[index], value));
        rows.add(
          read,
          read.reduce((sum: number, value) => sum + sizeOf(value), 0),
        );
        // The server would send the rest, however long it is, so the session is closed.
        if (!rows.full || !mayCut) return;
        resolve(rows.result(changed));
        this.close();
      });
      command.on('error', fail);
      command.on('end', () => {
        this.#fail = null;
        resolve(rows.result(changed));
      });
    });
  }

  /** Arguments by name: the server accepts them only by position, so their order is queried first. */
  async procedure(name: string, params: ReadonlyMap<string, SqlValue>, rows: RowCollector): Promise<QueryResult> {
    const declared = await this.#parametersOf(name);
    const unknown = [...params.keys()].find((given) => !declared.some((param) => param.name === given));
    if (unknown !== undefined)
      throw new NodeError('param_unknown', `the procedure has no parameter "${unknown.slice(0, 60)}"`);
    const values: SqlValue[] = [];
    const places = declared.map(({ name: param, mode }, index) => {
      const value = params.get(param);
      if (mode !== 'IN') return `@sluice_${index}`;
      if (value === undefined)
        throw new NodeError('param_missing', `the parameter "${param}" has no value; expected one`);
      values.push(value);
      return '?';
    });
    const outs = declared.flatMap(({ name: param, mode }, index) => (mode === 'IN' ? [] : [{ param, index }]));
    for (const { param, index } of outs) await this.#run(`SET @sluice_${index} = ?`, [params.get(param) ?? null]);
    const called = name.split('.').map(quoted).join('.');
    const result = await this.#run(`CALL ${called}(${places.join(', ')})`, values, rows);
    if (outs.length === 0 || result.rows.length > 0) return result;
    const selected = outs.map(({ param, index }) => `@sluice_${index} AS ${quoted(param)}`).join(', ');
    return this.#run(`SELECT ${selected}`, []);
  }

  async begin(): Promise<void> {
    await this.plain('START TRANSACTION');
    this.#transaction = true;
  }

  async beginReadOnly(): Promise<void> {
    await this.plain('START TRANSACTION READ ONLY');
    this.#transaction = true;
  }

  async commit(): Promise<void> {
    await this.plain('COMMIT');
    this.#transaction = false;
  }

  async rollback(): Promise<void> {
    await this.plain('ROLLBACK');
    this.#transaction = false;
  }

  ping(): Promise<void> {
    return this.#promised((done) => this.#connection.ping(done));
  }

  async reset(): Promise<void> {
    await this.#promised((done) => this.#connection.reset(done));
    await this.plain(SETUP);
  }

  /** On a separate connection, because this one is busy. */
  async cancel(): Promise<void> {
    const killer = await open({ ...this.#settings, connectTimeout: CANCEL_MS_MAX / 1000 }, this.#guard);
    try {
      await killer.plain(`KILL QUERY ${this.threadId}`);
    } finally {
      killer.close();
    }
  }

  /** A server that is still sending notices only that the socket is closed. */
  close(): void {
    this.#usable = false;
    if (this.#fail !== null) {
      this.#socket.destroy();
      return;
    }
    this.#connection.end(() => undefined);
    this.#socket.destroySoon();
  }

  async #parametersOf(name: string): Promise<{ name: string; mode: string }[]> {
    const [own = '', schema = null] = name.split('.').toReversed();
    const { rows } = await this.#run(PARAMETERS_SQL, [schema, own]);
    return rows.map((row) => ({ name: String(row['PARAMETER_NAME']), mode: String(row['PARAMETER_MODE']) }));
  }

  #run(sql: string, values: SqlValue[], rows = new RowCollector(PARAMETERS_MAX)): Promise<QueryResult> {
    return this.query({ sql, values, keyword: '' }, rows, false);
  }

  #promised(ask: (done: (error: unknown) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      ask((error) => {
        if (error === null || error === undefined) resolve();
        else reject(this.#failure(error));
      });
    });
  }

  #lost(error: unknown): void {
    this.#usable = false;
    this.#fail?.(error);
  }

  #failure(error: unknown): Error {
    const number = fieldOf(error, 'errno');
    const fromServer = fieldOf(error, 'sqlState') !== undefined;
    if (!fromServer || (typeof number === 'number' && GONE.has(number))) {
      this.#usable = false;
      return lostConnection(error);
    }
    const constraint = typeof number === 'number' && CONSTRAINTS.has(number);
    return sqlError(constraint, messageOf(error), error, this.#settings.password);
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
