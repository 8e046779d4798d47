/**
 * PostgreSQL through `pg`. Each statement is sent with the extended protocol, one at a time, with bound values.
 *
 * Security: connects to the address that the guard has checked; with `verify` the certificate is checked for the host
 * name (or address) of the connection against `ca` or the system's list. Environment variables and password files that
 * pg would read are not used: every option is given. Known weakness: a cancellation is sent over a separate plain TCP
 * connection, as by clients before PostgreSQL 17; anyone who can read the network traffic could learn the session's
 * cancel key, which can only cancel.
 */
import type { Client, ClientConfig } from 'pg';
import { once } from 'node:events';
import { isIP, Socket } from 'node:net';
import type { QueryResult } from '#common/model/named-query.ts';
import { TargetSocket } from '#net/connect-target.ts';
import type { Target, TargetGuard } from '#net/target-guard.ts';
import type { DatabaseSettings as Settings, SqlValue } from '../contract.ts';
import { dial, withinConnectTime } from '../dial.ts';
import { fieldOf, lostConnection, messageOf, sqlError, unreachable } from '../errors.ts';
import { CANCEL_MS_MAX, SQL_ROWS_MAX, STATEMENT_MS_MAX } from '../limits.ts';
import { RowCollector } from '../rows.ts';
import type { Engine, Session } from '../session.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import { WireGuard } from '../wire.ts';
import { RowReader } from './postgresql-reader.ts';
import { postgresParam } from './postgresql-values.ts';

/** Text formats that the value parsers expect. The server's own limit ends statements of a killed gateway. */
const SETUP = `SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601'; SET bytea_output = 'hex';
SET statement_timeout = ${STATEMENT_MS_MAX + CANCEL_MS_MAX}; SET idle_in_transaction_session_timeout = ${STATEMENT_MS_MAX}`;
const CANCEL_CODE = 80_877_102;
/** The server is shutting down, or has ended the session. */
const GONE = /^(?:08|57P0)/;

const SCHEMA_SQL = `
  SELECT NULLIF(table_schema, current_schema()) AS schema_name, table_name, column_name, data_type AS type_name
  FROM information_schema.columns
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
  ORDER BY table_schema <> current_schema(), table_schema, table_name, ordinal_position`;

export function postgresEngine(settings: Settings, guard: TargetGuard): Engine {
  return {
    dialect: 'postgresql',
    versionSql: 'SELECT version()',
    schemaSql: SCHEMA_SQL,
    open: () => open(settings, guard),
  };
}

async function open(settings: Settings, guard: TargetGuard): Promise<Session> {
  const where = `${settings.host}:${settings.port}`;
  const limitMs = settings.connectTimeout * 1000;
  let client: Client | undefined;
  const opening = async (): Promise<Session> => {
    const { Client } = await import('pg');
    const target = await guard.resolve(settings.host, settings.port);
    const begun = new Client(clientConfig(settings, target));
    client = begun;
    guard.holdSocket(target, begun.connection.stream);
    const session = new PostgresSession(begun, settings, guard);
    await begun.connect();
    await begun.query(SETUP);
    return session;
  };
  try {
    return await withinConnectTime(where, limitMs, opening(), () => tearDown(client));
  } catch (error) {
    tearDown(client);
    throw unreachable(where, error, settings.password);
  }
}

function tearDown(client: Client | undefined): void {
  client?.connection.stream.destroy();
}

function clientConfig(settings: Settings, target: Target): ClientConfig {
  const { address, host, port } = target;
  return {
    host: address,
    port,
    stream: () => new TargetSocket(target),
    user: settings.user,
    database: settings.database,
    // A function: with an empty password pg would use the environment and the password file.
    password: () => settings.password ?? '',
    ssl: settings.tls === 'off' ? false : tlsOptions(settings, host),
    keepAlive: true,
    connectionTimeoutMillis: settings.connectTimeout * 1000,
    application_name: 'Sluice',
  };
}

function tlsOptions({ tls, ca }: Settings, host: string) {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { ...name, ...(ca === null ? {} : { ca }), rejectUnauthorized: tls === 'verify' };
}

class PostgresSession implements Session {
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #guard: TargetGuard;
  readonly #wire = new WireGuard();
  #usable = true;

  constructor(client: Client, settings: Settings, guard: TargetGuard) {
    this.#client = client;
    this.#settings = settings;
    this.#guard = guard;
    const { connection } = client;
    this.#wire.watch(connection.stream);
    connection.on('sslconnect', () => this.#wire.watch(connection.stream));
    client.on('error', () => this.#lost());
    client.on('end', () => this.#lost());
  }

  get usable(): boolean {
    return this.#usable;
  }

  get inTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I';
  }

  async query({ sql, values }: BoundSql, rows: RowCollector): Promise<QueryResult> {
    const reader = new RowReader(sql, values.map(postgresParam), {
      rows,
      rowsMax: rows.rowsMax + 1,
      wire: this.#wire,
    });
    this.#client.query(reader);
    return reader.done.catch((error: unknown) => {
      throw this.#failure(error);
    });
  }

  /** `CALL` with parameter names in lower case, like unquoted identifiers; its output (INOUT) is a row. */
  async procedure(name: string, params: ReadonlyMap<string, SqlValue>, rows: RowCollector): Promise<QueryResult> {
    const given = [...params.keys()].map((param, index) => `${quoted(param)} => $${index + 1}`);
    const called = name.split('.').map(quoted).join('.');
    const sql = `CALL ${called}(${given.join(', ')})`;
    return this.query({ sql, values: [...params.values()], keyword: 'call' }, rows);
  }

  begin(): Promise<void> {
    return this.#control('BEGIN');
  }

  beginReadOnly(): Promise<void> {
    return this.#control('BEGIN READ ONLY');
  }

  commit(): Promise<void> {
    return this.#control('COMMIT');
  }

  rollback(): Promise<void> {
    return this.#control('ROLLBACK');
  }

  ping(): Promise<void> {
    return this.#control('SELECT 1');
  }

  async reset(): Promise<void> {
    await this.#control('DISCARD ALL');
    await this.#client.query(SETUP);
  }

  /**
   * CancelRequest (protocol 3.0): sixteen bytes on a separate connection, which the server closes after processing it.
   */
  async cancel(): Promise<void> {
    const { processID, secretKey } = this.#backend();
    const request = Buffer.alloc(16);
    for (const [index, word] of [16, CANCEL_CODE, processID, secretKey].entries())
      request.writeInt32BE(word, index * 4);
    const socket = await dial(this.#guard, this.#settings.host, this.#settings.port, CANCEL_MS_MAX);
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(CANCEL_MS_MAX) });
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(request);
    await closed.finally(() => socket.destroy());
  }

  close(): void {
    this.#usable = false;
    const { stream } = this.#client.connection;
    this.#client.end().catch(() => undefined);
    // The termination message is sent without waiting for a reply.
    if (stream instanceof Socket) stream.destroySoon();
  }

  /** Data that the server sent at the start of the session; pg does not declare this field. */
  #backend(): { processID: number; secretKey: number } {
    const processID = fieldOf(this.#client, 'processID');
    const secretKey = fieldOf(this.#client, 'secretKey');
    if (typeof processID !== 'number' || typeof secretKey !== 'number') throw new Error('the session has not begun');
    return { processID, secretKey };
  }

  async #control(sql: string): Promise<void> {
    await this.query({ sql, values: [], keyword: '' }, new RowCollector(SQL_ROWS_MAX));
  }

  #lost(): void {
    this.#usable = false;
  }

  #failure(error: unknown): Error {
    const code = String(fieldOf(error, 'code') ?? '');
    const fromServer = fieldOf(error, 'severity') !== undefined;
    if (!fromServer || GONE.test(code)) {
      this.#usable = false;
      return lostConnection(error);
    }
    return sqlError(code.startsWith('23'), messageOf(error), error, this.#settings.password);
  }
}

function quoted(name: string): string {
  return `"${name.toLowerCase().replaceAll('"', '""')}"`;
}
