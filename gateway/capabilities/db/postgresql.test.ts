import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import type { DatabasePeer } from '#test/peers/database-peer.ts';
import { postgresMissing, startPostgres } from '#test/peers/postgres.ts';
import { until } from '#test/until.ts';
import { expectReadOnly, expectTablesListed } from './server-suite.testing.ts';
import { type Bench, openBench } from './testing.ts';

const POOL_MAX = 2;
const missing = postgresMissing();

describe.skipIf(missing)(`PostgreSQL${missing === false ? '' : ` (left out: ${missing})`}`, () => {
  let peer: DatabasePeer;
  let bench: Bench;
  let side: Client;

  function connection(id: string, over: Partial<ConnectionDefinition['settings']> = {}): ConnectionDefinition {
    return {
      id,
      name: '',
      settings: {
        kind: 'postgresql',
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

  /** A session outside the pool, to observe the server. */
  async function watcher(): Promise<Client> {
    const { port, user, password, database } = peer;
    const client = new Client({ host: '127.0.0.1', port, user, password, database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function states(): Promise<(string | null)[]> {
    const { rows } = await side.query<{ state: string | null }>(
      "SELECT state FROM pg_stat_activity WHERE application_name = 'Sluice'",
    );
    return rows.map(({ state }) => state);
  }

  beforeAll(async () => {
    peer = await startPostgres();
    bench = await openBench({
      connections: [connection('pg'), connection('wrong', { password: 'not-the-password' })],
      allowed: [`127.0.0.1:${peer.port}`],
      usual: 'pg',
      queries: [
        { id: 'slow', connection: 'pg', sql: 'SELECT pg_sleep(30)', timeout: 0.3 },
        {
          id: 'typed',
          connection: 'pg',
          sql: `SELECT :t::text AS t, :i::bigint AS i, :n::float8 AS n, :b::boolean AS b, :at::timestamptz AS at,
                       :j::jsonb AS j, :x::bytea AS x, :none::int AS none`,
          params: [
            { name: 't', type: 'text', optional: false },
            { name: 'i', type: 'integer', optional: false },
            { name: 'n', type: 'number', optional: false },
            { name: 'b', type: 'boolean', optional: false },
            { name: 'at', type: 'timestamp', optional: false },
            { name: 'j', type: 'json', optional: false },
            { name: 'x', type: 'bytes', optional: false },
            { name: 'none', type: 'integer', optional: true },
          ],
        },
      ],
    });
    side = await watcher();
    await bench.sql('CREATE TABLE orders (id int PRIMARY KEY, note text)');
  });

  afterAll(async () => {
    await side?.end().catch(() => undefined);
    await bench?.[Symbol.asyncDispose]();
    await peer?.stop();
  });

  test('the tables of the database are listed with their columns', async () => {
    await expectTablesListed(bench, 'pg', 'integer');
  });

  test('a test that may only read changes nothing', async () => {
    await bench.sql('CREATE SEQUENCE read_only_seq');
    await expectReadOnly(bench, 'pg', [
      'INSERT INTO read_only VALUES (1)',
      'WITH d AS (DELETE FROM read_only RETURNING n) SELECT * FROM d',
      'CREATE TABLE more (n int)',
      'DO $$ BEGIN DELETE FROM read_only; END $$',
      "SELECT set_config('transaction_read_only', 'off', false), nextval('read_only_seq')",
    ]);
  });

  test('binds hostile strings and reads them back unchanged', async () => {
    const note = `'; DROP TABLE orders; -- $1 :x "?" \\' E'\\''`;
    await bench.sql('INSERT INTO orders VALUES (:id, :note)', { id: 1, note });
    expect(await bench.sql('SELECT note FROM orders WHERE note = :note', { note })).toEqual({
      rows: [{ note }],
      rowCount: 1,
      truncated: false,
    });
  });

  test('returns values as JSON', async () => {
    const { rows } = await bench.sql(`SELECT 9007199254740991::int8 AS safe, 9007199254740993::int8 AS large,
      1.10::numeric AS exact, 1.5::float8 AS float, 'NaN'::float8 AS nan, true AS yes, null AS nothing,
      '\\x00ff'::bytea AS bytes, '{"a":[1]}'::jsonb AS json, '2026-03-01'::date AS day,
      '2026-03-01 06:00:00.25+02'::timestamptz AS at, '2026-03-01 06:00:00'::timestamp AS local,
      1 AS twice, 2 AS twice, 3 AS "__proto__", ARRAY[1,2] AS list`);
    const [row] = rows;
    expect(Object.entries(row ?? {})).toEqual([
      ['safe', 9007199254740991],
      ['large', '9007199254740993'],
      ['exact', '1.10'],
      ['float', 1.5],
      ['nan', 'NaN'],
      ['yes', true],
      ['nothing', null],
      ['bytes', new Uint8Array([0, 255])],
      ['json', { a: [1] }],
      ['day', '2026-03-01'],
      ['at', '2026-03-01T04:00:00.25Z'],
      ['local', '2026-03-01T06:00:00'],
      ['twice', 1],
      ['twice_2', 2],
      ['__proto__', 3],
      ['list', '{1,2}'],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  test('coerces the values of a named query to their types', async () => {
    const params = {
      t: 7,
      i: '42',
      n: '1.5',
      b: 'true',
      at: '2026-03-01T06:00:00+01:00',
      j: [1, { a: null }],
      x: 'AP8=',
    };
    const { rows } = await bench.door.call(bench.context(), 'db.query', { name: 'typed', params });
    expect(rows).toEqual([
      {
        t: '7',
        i: 42,
        n: 1.5,
        b: true,
        at: '2026-03-01T05:00:00Z',
        j: [1, { a: null }],
        x: new Uint8Array([0, 255]),
        none: null,
      },
    ]);
  });

  test('leaves JSON operators and casts unchanged', async () => {
    const { rows } = await bench.sql(
      `SELECT '{"a":1}'::jsonb ? 'a' AS has, '{"a":1}'::jsonb ?| ARRAY['x','a'] AS some, :v::int AS v`,
      {
        v: '5',
      },
    );
    expect(rows).toEqual([{ has: true, some: true, v: 5 }]);
  });

  test('reports how many rows a statement changed, and returns its rows', async () => {
    await bench.sql('INSERT INTO orders SELECT g, null FROM generate_series(100, 109) g');
    expect(await bench.sql('UPDATE orders SET note = null WHERE id BETWEEN 100 AND 104')).toMatchObject({
      rowCount: 5,
      rows: [],
    });
    expect(await bench.sql('DELETE FROM orders WHERE id BETWEEN 100 AND 109 RETURNING id')).toMatchObject({
      rowCount: 10,
      truncated: false,
    });
  });

  test('stops reading a large table at the row limit', async () => {
    const { rows, truncated, rowCount } = await bench.sql('SELECT generate_series(1, 500000000) AS g');
    expect({ rows: rows.length, rowCount, truncated }).toEqual({ rows: 10_000, rowCount: 10_000, truncated: true });
  });

  test('runs a changing statement to its end although its rows are cut', async () => {
    await bench.sql('CREATE TABLE many (g int)');
    const { truncated } = await bench.sql('INSERT INTO many SELECT generate_series(1, 12000) RETURNING g');
    expect(truncated).toBe(true);
    expect((await bench.sql('SELECT count(*) AS n FROM many')).rows).toEqual([{ n: 12_000 }]);
  });

  test('cuts rows at the byte limit', async () => {
    const { rows, truncated } = await bench.sql("SELECT repeat('x', 1000000) AS x FROM generate_series(1, 100)");
    expect(truncated).toBe(true);
    expect(rows.length).toBe(16);
  });

  test.each([
    ['a mistake in the SQL', 'SELEC 1', {}, 'db_error', /syntax error/],
    ['two statements', 'SELECT 1; SELECT 2', {}, 'db_error', /multiple commands/],
    ['a violated constraint', 'INSERT INTO orders VALUES (1, null)', {}, 'db_constraint', /orders_pkey/],
    ['a missing parameter', 'SELECT :a', {}, 'param_missing', /"a"/],
    ['a superfluous parameter', 'SELECT :a', { a: 1, b: 2 }, 'param_unknown', /"b"/],
    ['NUL in a string', 'SELECT :a::text', { a: 'x\0y' }, 'param_invalid', /without the character NUL/],
    ['a positional parameter', 'SELECT $1', {}, 'sql_invalid', /\$1/],
    ['COPY', 'COPY orders FROM STDIN', {}, 'sql_invalid', /COPY/],
    ['BEGIN', '/* x */ BEGIN', {}, 'sql_invalid', /transaction/],
  ])('refuses %s', async (_what, sql, params, code, says) => {
    await expect(bench.sql(sql, params)).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
  });

  test('stops a statement at its time limit, on the server too', async () => {
    const began = performance.now();
    await expect(bench.door.call(bench.context(), 'db.query', { name: 'slow' })).rejects.toMatchObject({
      code: 'db_timeout',
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    await until('the server has stopped', async () => !(await states()).includes('active'));
    expect((await bench.sql('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('stops a statement with its run', async () => {
    const controller = new AbortController();
    const running = bench.sql('SELECT pg_sleep(30)', {}, { signal: controller.signal });
    running.catch(() => undefined);
    await until('it runs', async () => (await states()).includes('active'));
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'call_cancelled' });
    await until('the server has stopped', async () => !(await states()).includes('active'));
  });

  test('commits all statements of a transaction or none', async () => {
    const transaction = (...statements: { sql: string; params?: Record<string, unknown> }[]) =>
      bench.door.call(bench.context(), 'db.transaction', { connection: 'pg', statements });
    const insert = { sql: 'INSERT INTO orders VALUES (:id, null)', params: { id: 200 } };
    expect(await transaction(insert, { sql: 'SELECT id FROM orders WHERE id = 200' })).toMatchObject([
      { rowCount: 1 },
      { rows: [{ id: 200 }] },
    ]);
    const next = { sql: insert.sql, params: { id: 201 } };
    await expect(transaction(next, insert)).rejects.toMatchObject({ code: 'db_constraint' });
    await expect(transaction(next, { sql: 'COMMIT' }, insert)).rejects.toMatchObject({ code: 'sql_invalid' });
    await expect(transaction(next, { sql: 'SELEC' })).rejects.toMatchObject({ code: 'db_error' });
    expect((await bench.sql('SELECT id FROM orders WHERE id >= 200')).rows).toEqual([{ id: 200 }]);
    expect((await states()).every((state) => state === 'idle')).toBe(true);
  });

  test('rolls back a transaction that times out', async () => {
    const statements = [{ sql: 'INSERT INTO orders VALUES (300, null)' }, { sql: 'SELECT pg_sleep(30)' }];
    const running = bench.door.call(bench.context(undefined, 300), 'db.transaction', { connection: 'pg', statements });
    await expect(running).rejects.toMatchObject({ code: expect.stringMatching(/_timeout$/) });
    await until('nothing is in a transaction', async () => (await states()).every((state) => state === 'idle'));
    expect((await bench.sql('SELECT id FROM orders WHERE id = 300')).rows).toEqual([]);
  });

  test('does not reuse a session whose settings a statement changed', async () => {
    await bench.sql("SET search_path = 'nowhere'");
    const { rows } = await bench.sql("SELECT current_setting('search_path') AS path");
    expect(rows).toEqual([{ path: '"$user", public' }]);
  });

  test('does not reuse a session in which a read-only query left a setting, a lock or a table', async () => {
    await bench.sql("SELECT set_config('search_path', 'nowhere', false)");
    await bench.sql('WITH one AS (SELECT 1) SELECT pg_advisory_lock(7) FROM one');
    await bench.sql('SELECT 1 AS one INTO TEMP kept');
    const transaction = { connection: 'pg', statements: [{ sql: 'SELECT pg_try_advisory_lock_shared(8)' }] };
    await bench.door.call(bench.context(), 'db.transaction', transaction);
    const left = async () => {
      const { rows } = await bench.sql(`SELECT current_setting('search_path') AS path, to_regclass('kept') AS kept,
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')::int AS locks`);
      return rows[0];
    };
    await until('the sessions have ended', async () => (await left())?.['locks'] === 0);
    expect(await left()).toEqual({ path: '"$user", public', kept: null, locks: 0 });
    const own = "SELECT pg_backend_pid() AS pid, 'mail to a@b, set config' AS text";
    expect((await bench.sql(own)).rows).toEqual((await bench.sql(own)).rows);
  });

  test('calls a procedure with named parameters and returns its results', async () => {
    await bench.sql(`CREATE PROCEDURE book(order_id int, INOUT total int) LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO orders VALUES (order_id, 'booked'); total := total + 1; END $$`);
    const call = (params: Record<string, unknown>) =>
      bench.door.call(bench.context(), 'db.procedure', { connection: 'pg', procedure: 'public.book', params });
    expect(await call({ total: 41, order_id: 400 })).toMatchObject({ rows: [{ total: 42 }] });
    expect((await bench.sql('SELECT note FROM orders WHERE id = 400')).rows).toEqual([{ note: 'booked' }]);
    await expect(call({ nothing: 1 })).rejects.toMatchObject({ code: 'db_error' });
  });

  test('fails a call in time when every session is in use, and never opens more', async () => {
    const held = [1, 2].map(() => bench.sql('SELECT pg_sleep(6)', {}, { ms: 8_000 }));
    for (const call of held) call.catch(() => undefined);
    await until('both run', async () => (await states()).filter((state) => state === 'active').length === POOL_MAX);
    const began = performance.now();
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_pool_exhausted' });
    expect(performance.now() - began).toBeLessThan(6_000);
    expect((await states()).length).toBe(POOL_MAX);
    await Promise.all(held);
  });

  test('serves many calls over few sessions', async () => {
    const calls = Array.from({ length: 100 }, (_, n) => bench.sql('SELECT :n::int AS n', { n }));
    expect((await Promise.all(calls)).map(({ rows }) => rows[0]?.['n'])).toEqual(
      Array.from({ length: 100 }, (_, n) => n),
    );
    expect((await states()).length).toBeLessThanOrEqual(POOL_MAX);
  });

  test('reports a wrong password without revealing it', async () => {
    await expect(bench.sql('SELECT 1', {}, { connection: 'wrong' })).rejects.toMatchObject({
      code: 'db_unreachable',
      message: expect.not.stringContaining('not-the-password'),
    });
  });

  test('tests a connection', async () => {
    expect(await bench.databases.test(connection('x'))).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^PostgreSQL/),
    });
    expect(await bench.databases.test(connection('x', { port: 1 }))).toMatchObject({
      ok: false,
      text: expect.stringContaining('allowed internal targets'),
    });
    expect(await bench.databases.test(connection('x', { tls: 'verify' }))).toMatchObject({
      ok: false,
      text: expect.stringContaining('SSL'),
    });
  });

  test('a removed address ends running statements, refuses waiting and new ones and leaves no session, and works when it is allowed again', async () => {
    const allowed = [`127.0.0.1:${peer.port}`];
    await bench.sql('SELECT 1');
    bench.guard.configure([...allowed, '127.0.0.1:9']);
    expect(await states()).not.toEqual([]);
    const running = Array.from({ length: POOL_MAX }, () => bench.sql('SELECT pg_sleep(30)'));
    const waiting = bench.sql('SELECT 1');
    const outcomes = Promise.allSettled([...running, waiting]);
    await until('they run', async () => (await states()).filter((state) => state === 'active').length === POOL_MAX);
    const began = performance.now();
    bench.guard.configure([]);
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'target_refused' });
    const reasons = (await outcomes).map((one) => (one.status === 'rejected' ? (one.reason as Error) : null));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(reasons).toMatchObject(Array.from({ length: POOL_MAX + 1 }, () => ({ code: 'target_refused' })));
    expect(reasons[0]?.message).toMatch(/allowed internal targets.*whether the server has done it is not known$/);
    expect(reasons[POOL_MAX]?.message).not.toContain('not known');
    // The server checks a session only after its statement has ended.
    await side.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Sluice'");
    bench.guard.configure(allowed);
    expect((await bench.sql('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    bench.guard.configure([]);
    await until('the idle session is gone', async () => (await states()).length === 0);
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'target_refused' });
    bench.guard.configure(allowed);
    expect((await bench.sql('SELECT 2 AS n')).rows).toEqual([{ n: 2 }]);
  });

  test('a transaction whose address is removed from the list is refused and rolled back', async () => {
    const allowed = [`127.0.0.1:${peer.port}`];
    const statements = [
      { sql: "INSERT INTO orders VALUES (900, 'half')", params: {} },
      { sql: 'SELECT pg_sleep(1)', params: {} },
    ];
    const work = bench.door.call(bench.context(), 'db.transaction', { connection: 'pg', statements });
    work.catch(() => undefined);
    await until('it sleeps', async () => (await states()).includes('active'));
    bench.guard.configure([]);
    await expect(work).rejects.toMatchObject({ code: 'target_refused' });
    bench.guard.configure(allowed);
    await until('its session is gone', async () => !(await states()).includes('active'));
    expect((await bench.sql('SELECT id FROM orders WHERE id = 900')).rows).toEqual([]);
  });

  test('a change of the list that still allows the address keeps its session', async () => {
    const pid = async () => (await bench.sql('SELECT pg_backend_pid() AS pid')).rows;
    const before = await pid();
    bench.guard.configure(['127.0.0.1:9', `127.0.0.1:${peer.port}`]);
    expect(await pid()).toEqual(before);
    bench.guard.configure([`127.0.0.1:${peer.port}`]);
    expect(await pid()).toEqual(before);
  });

  test('fails while the server is down and recovers by itself when it is back', async () => {
    await bench.sql('SELECT 1');
    const running = bench.sql('SELECT pg_sleep(30)');
    running.catch(() => undefined);
    await until('it runs', async () => (await states()).includes('active'));
    await peer.kill9();
    await expect(running).rejects.toMatchObject({ code: 'db_unreachable' });
    const began = performance.now();
    await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_unreachable' });
    expect(performance.now() - began).toBeLessThan(3_000);
    await peer.restart();
    expect((await bench.sql('SELECT id FROM orders WHERE id = 200')).rows).toEqual([{ id: 200 }]);
  });
});
