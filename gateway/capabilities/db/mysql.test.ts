import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { mariadbMissing, startMariadb } from '#test/peers/mariadb.ts';
import type { DatabasePeer } from '#test/peers/database-peer.ts';
import { until } from '#test/until.ts';
import { expectReadOnly, expectTablesListed } from './server-suite.testing.ts';
import { type Bench, openBench } from './testing.ts';

const POOL_MAX = 2;
const missing = mariadbMissing();

describe.skipIf(missing)(`MariaDB${missing === false ? '' : ` (left out: ${missing})`}`, () => {
  let peer: DatabasePeer;
  let bench: Bench;
  let side: Connection;

  function connection(id: string, over: Partial<ConnectionDefinition['settings']> = {}): ConnectionDefinition {
    return {
      id,
      name: '',
      settings: {
        kind: 'mysql',
        host: '127.0.0.1',
        port: peer.port,
        database: peer.database,
        user: peer.user,
        password: peer.password,
        tls: 'off',
        ca: null,
        poolMax: POOL_MAX,
        connectTimeout: 2,
        ...over,
      } as ConnectionDefinition['settings'],
    };
  }

  /** Statements that the server runs, except those of the watching session. */
  async function running(): Promise<string[]> {
    const [rows] = await side.query(
      "SELECT INFO FROM information_schema.PROCESSLIST WHERE USER = 'sluice' AND INFO IS NOT NULL AND ID <> CONNECTION_ID()",
    );
    return (rows as { INFO: string }[]).map(({ INFO }) => INFO);
  }

  beforeAll(async () => {
    peer = await startMariadb();
    bench = await openBench({
      connections: [connection('my'), connection('wrong', { password: 'not-the-password' })],
      allowed: [`127.0.0.1:${peer.port}`],
      usual: 'my',
      queries: [{ id: 'slow', connection: 'my', sql: 'SELECT SLEEP(30)', timeout: 0.3 }],
    });
    const { port, user, password, database } = peer;
    side = await createConnection({ host: '127.0.0.1', port, user, password, database });
    side.on('error', () => undefined);
    await bench.sql('CREATE TABLE orders (id int PRIMARY KEY, note text)');
  });

  afterAll(async () => {
    side?.destroy();
    await bench?.[Symbol.asyncDispose]();
    await peer?.stop();
  });

  test('the tables of the database are listed with their columns', async () => {
    await expectTablesListed(bench, 'my', 'int');
  });

  test('a test that may only read changes nothing', async () => {
    await expectReadOnly(bench, 'my', [
      'INSERT INTO read_only VALUES (1)',
      'DELETE FROM read_only',
      'REPLACE INTO read_only VALUES (1)',
      'CREATE TABLE more (n int)',
      'DROP TABLE read_only',
      'SET SESSION TRANSACTION READ WRITE',
    ]);
  });

  test('binds hostile strings and reads them back unchanged', async () => {
    const note = `'; DROP TABLE orders; -- ? :x "?" \\' \\\\ # /* `;
    await bench.sql('INSERT INTO orders VALUES (:id, :note)', { id: 1, note });
    expect(await bench.sql("SELECT note, '\\':no' AS t FROM orders WHERE note = :note # :no", { note })).toEqual({
      rows: [{ note, t: "':no" }],
      rowCount: 1,
      truncated: false,
    });
  });

  test('returns values as JSON', async () => {
    await bench.sql(`CREATE TABLE shapes (safe bigint, large bigint, exact decimal(10,2), number double, at timestamp(3) NULL,
      local datetime, day date, bytes varbinary(4), doc json, yes boolean)`);
    await bench.sql(
      `INSERT INTO shapes VALUES (:safe, :large, 1.10, :number, :at, '2026-03-01 06:00:00', '2026-03-01', :bytes, :doc, :yes)`,
      {
        safe: 9007199254740991,
        large: 9007199254740993n,
        number: 1.5,
        at: new Date('2026-03-01T06:00:00.250Z'),
        bytes: new Uint8Array([0, 255]),
        doc: { a: [1] },
        yes: true,
      },
    );
    const { rows } = await bench.sql('SELECT *, 1 AS yes, 2 AS __proto__ FROM shapes');
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['safe', 9007199254740991],
      ['large', '9007199254740993'],
      ['exact', '1.10'],
      ['number', 1.5],
      ['at', '2026-03-01T06:00:00.250Z'],
      ['local', '2026-03-01T06:00:00'],
      ['day', '2026-03-01'],
      ['bytes', new Uint8Array([0, 255])],
      ['doc', { a: [1] }],
      ['yes', 1],
      ['yes_2', 1],
      ['__proto__', 2],
    ]);
  });

  test('accepts an integer as a limit, and a value that is used twice', async () => {
    const { rows } = await bench.sql('SELECT :n AS a, :n AS b, :x AS c LIMIT :max', { n: 'v', x: null, max: 1 });
    expect(rows).toEqual([{ a: 'v', b: 'v', c: null }]);
  });

  test('binds an integer as an integer', async () => {
    const large = 9_007_199_254_740_993n;
    const { rows } = await bench.sql('SELECT :n DIV 2 AS half, :n % 10 AS rest, :n + 0 AS sum, CONCAT(:n) AS text', {
      n: large,
    });
    expect(rows).toEqual([{ half: 4503599627370496, rest: 3, sum: '9007199254740993', text: '9007199254740993' }]);
    const { rows: small } = await bench.sql('SELECT CONCAT(:n) AS text, :n + 1 AS next', { n: 4711 });
    expect(small).toEqual([{ text: '4711', next: 4712 }]);
  });

  test('stops reading a large table at the row limit, and runs a changing statement to its end', async () => {
    const large = await bench.sql('SELECT seq FROM seq_1_to_500000000');
    expect({ rows: large.rows.length, truncated: large.truncated }).toEqual({ rows: 10_000, truncated: true });
    await until('the server has stopped', async () => (await running()).length === 0);
    await bench.sql('CREATE TABLE many (g int)');
    const { truncated } = await bench.sql('INSERT INTO many SELECT seq FROM seq_1_to_12000 RETURNING g');
    expect(truncated).toBe(true);
    expect((await bench.sql('SELECT count(*) AS n FROM many')).rows).toEqual([{ n: 12_000 }]);
    expect(await bench.sql('UPDATE many SET g = 0 WHERE g <= 5')).toMatchObject({ rowCount: 5, rows: [] });
  });

  test.each([
    ['a mistake in the SQL', 'SELEC 1', {}, 'db_error', /syntax/],
    ['two statements', 'SELECT 1; SELECT 2', {}, 'sql_invalid', /one statement/],
    ['two statements after a comment', 'SELECT 1 /* ; */; DELETE FROM orders', {}, 'sql_invalid', /one statement/],
    ['a violated constraint', 'INSERT INTO orders VALUES (1, null)', {}, 'db_constraint', /Duplicate/],
    ['a missing parameter', 'SELECT :a', {}, 'param_missing', /"a"/],
    ['a superfluous parameter', 'SELECT :a', { a: 1, b: 2 }, 'param_unknown', /"b"/],
    ['a local file', "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders", {}, 'sql_invalid', /LOAD/],
    [
      'a local file after a comment',
      "/*! LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders */",
      {},
      'db_error',
      /./,
    ],
  ])('refuses %s', async (_what, sql, params, code, says) => {
    await expect(bench.sql(sql, params)).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
  });

  test('stops a statement at its time limit, on the server too', async () => {
    const began = performance.now();
    await expect(bench.door.call(bench.context(), 'db.query', { name: 'slow' })).rejects.toMatchObject({
      code: 'db_timeout',
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    await until('the server has stopped', async () => (await running()).length === 0);
    expect((await bench.sql('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('stops a statement with its run', async () => {
    const controller = new AbortController();
    const call = bench.sql('SELECT SLEEP(30)', {}, { signal: controller.signal });
    call.catch(() => undefined);
    await until('it runs', async () => (await running()).length === 1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'call_cancelled' });
    await until('the server has stopped', async () => (await running()).length === 0);
  });

  test('commits all statements of a transaction or none', async () => {
    const transaction = (...statements: { sql: string; params?: Record<string, unknown> }[]) =>
      bench.door.call(bench.context(), 'db.transaction', { connection: 'my', statements });
    const insert = { sql: 'INSERT INTO orders VALUES (:id, null)', params: { id: 200 } };
    expect(await transaction(insert, { sql: 'SELECT id FROM orders WHERE id = 200' })).toMatchObject([
      { rowCount: 1 },
      { rows: [{ id: 200 }] },
    ]);
    const next = { sql: insert.sql, params: { id: 201 } };
    await expect(transaction(next, insert)).rejects.toMatchObject({ code: 'db_constraint' });
    await expect(transaction(next, { sql: 'CREATE TABLE x (a int)' }, insert)).rejects.toMatchObject({
      code: 'sql_invalid',
    });
    await expect(transaction(next, { sql: '/*! COMMIT */' })).rejects.toMatchObject({ code: 'sql_invalid' });
    expect((await bench.sql('SELECT id FROM orders WHERE id >= 200')).rows).toEqual([{ id: 200 }]);
    const [open] = await side.query('SELECT count(*) AS n FROM information_schema.INNODB_TRX');
    expect(open).toEqual([{ n: 0 }]);
  });

  test('does not reuse a session in which a read-only query left a variable or a lock', async () => {
    await bench.sql('SELECT @kept := 1');
    await bench.sql('SELECT 2 INTO @kept');
    await bench.sql("SELECT GET_LOCK('kept', 0)");
    expect((await bench.sql('SELECT @kept AS kept')).rows).toEqual([{ kept: null }]);
    await until('the lock is free', async () => {
      const { rows } = await bench.sql("SELECT IS_FREE_LOCK('kept') AS free");
      return rows[0]?.['free'] === 1;
    });
  });

  test('calls a procedure with named parameters and returns its results', async () => {
    await bench.sql(`CREATE PROCEDURE book(IN order_id int, INOUT total int, OUT said text)
      BEGIN INSERT INTO orders VALUES (order_id, 'booked'); SET total = total + 1; SET said = 'done'; END`);
    const call = (params: Record<string, unknown>) =>
      bench.door.call(bench.context(), 'db.procedure', { connection: 'my', procedure: 'book', params });
    expect(await call({ total: 41, order_id: 400 })).toMatchObject({ rows: [{ total: 42, said: 'done' }] });
    await expect(call({ total: 41 })).rejects.toMatchObject({ code: 'param_missing' });
    await expect(call({ order_id: 1, what: 1 })).rejects.toMatchObject({ code: 'param_unknown' });
    await bench.sql('CREATE PROCEDURE listed() SELECT id FROM orders WHERE id = 400');
    expect(
      await bench.door.call(bench.context(), 'db.procedure', { connection: 'my', procedure: 'plant.listed' }),
    ).toMatchObject({ rows: [{ id: 400 }] });
  });

  test('fails a call in time when every session is in use, and serves many calls over few sessions', async () => {
    const held = [1, 2].map(() => bench.sql('SELECT SLEEP(6)', {}, { ms: 8_000 }));
    for (const call of held) call.catch(() => undefined);
    await until('both run', async () => (await running()).length === POOL_MAX);
    const began = performance.now();
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_pool_exhausted' });
    expect(performance.now() - began).toBeLessThan(6_000);
    await Promise.all(held);
    const calls = Array.from({ length: 100 }, (_, n) => bench.sql('SELECT :n + 0 AS n', { n }));
    expect((await Promise.all(calls)).map(({ rows }) => rows[0]?.['n'])).toEqual(
      Array.from({ length: 100 }, (_, n) => n),
    );
  });

  test('reports a wrong password without revealing it, and tests a connection', async () => {
    await expect(bench.sql('SELECT 1', {}, { connection: 'wrong' })).rejects.toMatchObject({
      code: 'db_unreachable',
      message: expect.not.stringContaining('not-the-password'),
    });
    expect(await bench.databases.test(connection('x'))).toMatchObject({
      ok: true,
      text: expect.stringMatching(/MariaDB/),
    });
    expect(await bench.databases.test(connection('x', { tls: 'verify' }))).toMatchObject({ ok: false });
  });

  test('a removed address ends running statements and refuses waiting and new ones, and works when it is allowed again', async () => {
    const allowed = [`127.0.0.1:${peer.port}`];
    const sleeping = Array.from({ length: POOL_MAX }, () => bench.sql('SELECT SLEEP(8)'));
    const outcomes = Promise.allSettled([...sleeping, bench.sql('SELECT 1')]);
    await until('they run', async () => (await running()).length === POOL_MAX);
    const began = performance.now();
    bench.guard.configure([]);
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'target_refused' });
    const reasons = (await outcomes).map((one) => (one.status === 'rejected' ? (one.reason as Error) : null));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(reasons).toMatchObject(Array.from({ length: POOL_MAX + 1 }, () => ({ code: 'target_refused' })));
    expect(reasons[0]?.message).toMatch(/allowed internal targets.*whether the server has done it is not known$/);
    bench.guard.configure(allowed);
    expect((await bench.sql('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    bench.guard.configure([]);
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'target_refused' });
    bench.guard.configure(allowed);
    expect((await bench.sql('SELECT 2 AS n')).rows).toEqual([{ n: 2 }]);
  });

  test('fails while the server is down and recovers by itself when it is back', async () => {
    await bench.sql('SELECT 1');
    const call = bench.sql('SELECT SLEEP(30)');
    call.catch(() => undefined);
    await until('it runs', async () => (await running()).length === 1);
    await peer.kill9();
    await expect(call).rejects.toMatchObject({ code: 'db_unreachable' });
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_unreachable' });
    await peer.restart();
    expect((await bench.sql('SELECT id FROM orders WHERE id = 200')).rows).toEqual([{ id: 200 }]);
  });
});
