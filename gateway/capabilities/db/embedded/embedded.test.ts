import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namedQuery } from '#common/model/named-query.ts';
import { until } from '#test/until.ts';
import { type Bench, openBench } from '../testing.ts';
import { PAGES_MAX } from './limits.ts';
import type { Job } from './messages.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
let bench: Bench;

beforeAll(async () => {
  bench = await openBench({
    queries: [
      { id: 'endless', sql: ENDLESS, timeout: 0.5 },
      {
        id: 'by-id',
        sql: 'SELECT note FROM orders WHERE id = :id',
        params: [{ name: 'id', type: 'integer', optional: false }],
      },
      ...(['integer', 'boolean', 'number'] as const).map((type) => ({
        id: `shape-${type}`,
        sql: 'SELECT typeof(:n) AS type, :n / 2 AS half',
        params: [{ name: 'n', type, optional: false }],
      })),
    ],
  });
  await bench.sql('CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT UNIQUE)');
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('the embedded database', () => {
  test('keeps its data in a private file of its project', async () => {
    await bench.sql('INSERT INTO orders VALUES (:id, :note)', { id: 1, note: "'; DROP TABLE orders; --" });
    expect(await bench.door.call(bench.context(), 'db.query', { name: 'by-id', params: { id: '1' } })).toEqual({
      rows: [{ note: "'; DROP TABLE orders; --" }],
      rowCount: 1,
      truncated: false,
    });
    await expect(bench.sql('SELECT * FROM orders', {}, { project: 'other' })).rejects.toMatchObject({
      code: 'db_error',
    });
    const folder = join(bench.dataDir, 'projects', 'p');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('changes nothing in a read-only test', async () => {
    const attempt = (sql: string) =>
      bench.databases.tryQuery('p', namedQuery.parse({ id: 'draft', connection: 'embedded', sql }), {}, true);
    await bench.sql("INSERT INTO orders VALUES (7, 'seven')");
    for (const sql of [
      'DELETE FROM orders',
      "INSERT INTO orders VALUES (8, 'x') RETURNING id",
      'WITH c AS (SELECT 1) UPDATE orders SET note = id',
      'CREATE TABLE more (id)',
      'DROP TABLE orders',
      'PRAGMA query_only = OFF',
      'PRAGMA optimize(2)',
    ])
      expect([sql, await attempt(sql).catch((error: unknown) => error)]).toMatchObject([sql, { code: 'db_error' }]);
    expect((await attempt('SELECT note FROM orders WHERE id = 7')).rows).toEqual([{ note: 'seven' }]);
    expect((await bench.sql('DELETE FROM orders WHERE id = 7')).rowCount).toBe(1);
  });

  test('lists tables and views with their columns', async () => {
    await bench.sql('CREATE TABLE listed (id INTEGER PRIMARY KEY, "due date" TEXT)');
    await bench.sql('CREATE VIEW late AS SELECT id FROM listed');
    const { tables, truncated } = await bench.databases.schema('p', 'embedded');
    expect(truncated).toBe(false);
    expect(tables.filter(({ name }) => ['listed', 'late'].includes(name))).toEqual([
      { schema: null, name: 'late', columns: [{ name: 'id', type: 'integer' }] },
      {
        schema: null,
        name: 'listed',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'due date', type: 'text' },
        ],
      },
    ]);
    expect(tables.some(({ name }) => name.startsWith('sqlite_'))).toBe(false);
  });

  test('gives values as JSON has them', async () => {
    const { rows } = await bench.sql(
      `SELECT 9007199254740991 AS safe, 9007199254740993 AS large, 1.5 AS real, :yes AS yes, null AS empty,
              :bytes AS bytes, :doc AS doc, 1 AS a, 2 AS a, 3 AS "__proto__"`,
      { yes: true, bytes: new Uint8Array([0, 255]), doc: { a: [1] } },
    );
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['safe', 9007199254740991],
      ['large', '9007199254740993'],
      ['real', 1.5],
      ['yes', 1],
      ['empty', null],
      ['bytes', new Uint8Array([0, 255])],
      ['doc', '{"a":[1]}'],
      ['a', 1],
      ['a_2', 2],
      ['__proto__', 3],
    ]);
  });

  test('binds an integer as an integer, so that an ID in a TEXT column stays unchanged', async () => {
    await bench.sql('CREATE TABLE o (id TEXT PRIMARY KEY, item TEXT)');
    await bench.sql('INSERT INTO o VALUES (:id, :yes)', { id: 4711, yes: true });
    const { rows } = await bench.sql('SELECT id, item, :id AS back FROM o WHERE id = :id', { id: 4711 });
    expect(rows).toEqual([{ id: '4711', item: '1', back: 4711 }]);
    const asked = 'SELECT typeof(:n) AS type, :n AS back, :n / 2 AS half';
    const shapes = await Promise.all(
      [65, -0, true, 5n, 1.5, 2 ** 60].map((n) => bench.sql(asked, { n }).then((told) => told.rows[0])),
    );
    expect(shapes).toEqual([
      { type: 'integer', back: 65, half: 32 },
      { type: 'integer', back: 0, half: 0 },
      { type: 'integer', back: 1, half: 0 },
      { type: 'integer', back: 5, half: 2 },
      { type: 'real', back: 1.5, half: 0.75 },
      { type: 'real', back: 2 ** 60, half: 2 ** 59 },
    ]);
  });

  test.each([
    ['integer', 65, 'integer', 32],
    ['integer', '65', 'integer', 32],
    ['boolean', true, 'integer', 0],
    ['number', 65, 'real', 32.5],
    ['number', '65', 'real', 32.5],
  ])('binds a parameter of a named query with type %s, %j, as %s', async (declared, n, type, half) => {
    const call = bench.door.call(bench.context(), 'db.query', { name: `shape-${declared}`, params: { n } });
    expect((await call).rows).toEqual([{ type, half }]);
  });

  test('cuts a large result at the row limit', async () => {
    const { rows, truncated } = await bench.sql(ENDLESS.replace('count(*)', 'x'));
    expect({ rows: rows.length, truncated }).toEqual({ rows: 10_000, truncated: true });
    const heavy = await bench.sql(ENDLESS.replace('count(*)', "printf('%.*c', 1000000, 'x') AS t"));
    expect({ rows: heavy.rows.length, truncated: heavy.truncated }).toEqual({ rows: 16, truncated: true });
  });

  test('runs a statement that returns rows to its end although they are cut', async () => {
    await bench.sql('CREATE TABLE many (g)');
    const insert =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 12000) INSERT INTO many SELECT x FROM c RETURNING g';
    expect((await bench.sql(insert)).truncated).toBe(true);
    expect((await bench.sql('SELECT count(*) AS n FROM many')).rows).toEqual([{ n: 12_000 }]);
  });

  test.each([
    ['a mistake in the SQL', 'SELEC 1', {}, 'db_error', /syntax error/],
    ['two statements', 'SELECT 1; SELECT 2', {}, 'sql_invalid', /one statement/],
    ['two statements with spaces', 'SELECT 1 ; -- x\n ; DELETE FROM orders', {}, 'sql_invalid', /one statement/],
    ['nothing', '-- nothing', {}, 'sql_invalid', /expected a statement/],
    ['a violated constraint', 'INSERT INTO orders VALUES (1, null)', {}, 'db_constraint', /orders.id/],
    ['a missing parameter', 'SELECT :a', {}, 'param_missing', /"a"/],
    ['a superfluous parameter', 'SELECT :a', { a: 1, b: 2 }, 'param_unknown', /"b"/],
    ['a value that is too big', 'SELECT randomblob(100000000)', {}, 'db_error', /too big/],
    ['a transaction by hand', 'BEGIN', {}, 'sql_invalid', /transaction/],
    ['a savepoint', 'SAVEPOINT a', {}, 'sql_invalid', /transaction/],
  ])('refuses %s', async (_what, sql, params, code, says) => {
    await expect(bench.sql(sql, params)).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
  });

  test('counts the rows that a statement changed, and zero for a schema change', async () => {
    const counts: number[] = [];
    for (const sql of [
      'CREATE TABLE shifts (id INTEGER, note TEXT)',
      "INSERT INTO shifts VALUES (1, 'a'), (2, 'b'), (3, 'c')",
      'CREATE INDEX IF NOT EXISTS by_note ON shifts (note)',
      '-- again\n create index if not exists by_note on shifts (note)',
      'CREATE TABLE copies AS SELECT * FROM shifts',
      'ALTER TABLE shifts ADD COLUMN late TEXT',
      'ANALYZE',
      'REINDEX',
      'WITH fourth AS (SELECT 4 AS id) INSERT INTO shifts (id) SELECT id FROM fourth',
      '; UPDATE shifts SET late = note',
      'UPDATE shifts SET id = 0 WHERE id = 99',
      'REPLACE INTO shifts (id) VALUES (5)',
      'DELETE FROM shifts',
      'DROP TABLE copies',
    ])
      counts.push((await bench.sql(sql)).rowCount);
    expect(counts).toEqual([0, 3, 0, 0, 0, 0, 0, 0, 1, 4, 0, 1, 5, 0]);
  });

  test('accepts a trigger whose body contains semicolons', async () => {
    await bench.sql('CREATE TABLE counted (n)');
    await bench.sql(
      'CREATE TRIGGER tr AFTER INSERT ON counted BEGIN UPDATE counted SET n = n + 1; DELETE FROM counted WHERE n > 5; END;',
    );
    await bench.sql('INSERT INTO counted VALUES (1)');
    expect((await bench.sql('SELECT n FROM counted')).rows).toEqual([{ n: 2 }]);
  });

  test('commits all statements of a transaction or none', async () => {
    const transaction = (...statements: { sql: string }[]) =>
      bench.door.call(bench.context(), 'db.transaction', { connection: 'embedded', statements });
    const insert = (id: number) => ({ sql: `INSERT INTO orders VALUES (${id}, 'n${id}')` });
    expect(await transaction(insert(200), { sql: 'SELECT id FROM orders WHERE id = 200' })).toMatchObject([
      { rowCount: 1 },
      { rows: [{ id: 200 }] },
    ]);
    await expect(transaction(insert(201), insert(200))).rejects.toMatchObject({ code: 'db_constraint' });
    await expect(
      transaction(insert(201), { sql: 'INSERT OR ROLLBACK INTO orders VALUES (200, null)' }),
    ).rejects.toMatchObject({
      code: 'db_constraint',
    });
    expect((await bench.sql('SELECT id FROM orders WHERE id >= 200')).rows).toEqual([{ id: 200 }]);
  });

  test('stops a statement at its time limit and continues with the next one', async () => {
    const began = performance.now();
    await expect(bench.door.call(bench.context(), 'db.query', { name: 'endless' })).rejects.toMatchObject({
      code: 'db_timeout',
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await bench.sql('SELECT id FROM orders WHERE id = 200')).rows).toEqual([{ id: 200 }]);
  });

  test('stops a statement with its run and rolls back its transaction', async () => {
    const controller = new AbortController();
    const statements = [{ sql: 'DELETE FROM orders' }, { sql: ENDLESS }];
    const running = bench.door.call(bench.context(controller.signal), 'db.transaction', {
      connection: 'embedded',
      statements,
    });
    running.catch(() => undefined);
    setTimeout(() => controller.abort(), 300);
    await expect(running).rejects.toMatchObject({ code: 'call_cancelled' });
    expect((await bench.sql('SELECT count(*) > 0 AS there FROM orders')).rows).toEqual([{ there: 1 }]);
  });

  test('stops a statement that exceeds its memory', async () => {
    const sql = `SELECT count(*) FROM (${ENDLESS.replace('count(*)', "printf('%d%.*c', x, 1000000, 'x') AS t")} ORDER BY t)`;
    await expect(bench.sql(sql)).rejects.toMatchObject({
      code: 'db_error',
      message: expect.stringContaining('memory'),
    });
    expect((await bench.sql('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('limits the number of waiting calls', async () => {
    const calls = Array.from({ length: 250 }, () => bench.sql('SELECT 1'));
    const settled = await Promise.allSettled(calls);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(50);
    expect(refused[0]).toMatchObject({ reason: { code: 'db_pool_exhausted' } });
  });

  test('releases the values of a call that times out while it waits behind a long one', async () => {
    const over = new AbortController();
    const long = bench.sql(ENDLESS, {}, { signal: over.signal });
    long.catch(() => undefined);
    const held = await waitInVain();
    await until('its values are free', () => {
      collectGarbage();
      return held.deref() === undefined;
    });
    over.abort();
    await expect(long).rejects.toMatchObject({ code: 'call_cancelled' });
  });

  async function waitInVain(): Promise<WeakRef<Uint8Array>> {
    const note = new Uint8Array(1024 * 1024);
    await expect(bench.sql('SELECT :note', { note }, { ms: 20 })).rejects.toMatchObject({ code: 'call_timeout' });
    return new WeakRef(note);
  }

  test('has no stored procedures', async () => {
    const call = bench.door.call(bench.context(), 'db.procedure', { connection: 'embedded', procedure: 'x' });
    await expect(call).rejects.toMatchObject({ code: 'procedure_unknown' });
  });

  test('reports missing names', async () => {
    await expect(bench.sql('SELECT 1', {}, { connection: 'none' })).rejects.toMatchObject({
      code: 'connection_unknown',
    });
    await expect(bench.door.call(bench.context(), 'db.query', { name: 'none' })).rejects.toMatchObject({
      code: 'query_unknown',
    });
  });

  test('is closed when its project is removed', async () => {
    await bench.sql('SELECT 1', {}, { project: 'other' });
    await bench.databases.configure('other', null);
    await expect(bench.sql('SELECT 1', {}, { project: 'other' })).rejects.toMatchObject({ code: 'connection_unknown' });
    await until(
      'its process has closed the file',
      () => !existsSync(join(bench.dataDir, 'projects', 'other', 'data.sqlite-wal')),
    );
  });
});

describe('SQL does not reach outside the file', () => {
  const CANARY = 'canary-7f3a';
  const out = () => join(bench.dataDir, 'out');
  const own = () => join(bench.dataDir, 'projects', 'p', 'data.sqlite');

  beforeAll(() => {
    mkdirSync(join(bench.dataDir, 'projects', 'victim'), { recursive: true });
    for (const name of ['vault.db', 'projects.sqlite', 'projects/victim/data.sqlite']) {
      const database = new DatabaseSync(join(bench.dataDir, name));
      database.exec(`CREATE TABLE secrets (v); INSERT INTO secrets VALUES ('${CANARY}')`);
      database.close();
    }
    writeFileSync(join(bench.dataDir, 'canary.txt'), CANARY);
  });

  test.each([
    "ATTACH 'DIR/vault.db' AS v",
    "ATTACH 'DIR/projects.sqlite' AS v",
    "ATTACH DATABASE 'file:DIR/vault.db?mode=ro' AS v",
    "ATTACH '../victim/data.sqlite' AS v",
    "ATTACH ('DIR' || '/vault.db') AS v",
    "ATTACH ':memory:' AS v",
    "ATTACH '' AS v",
    "/* x */ attach 'DIR/out' as v",
    "EXPLAIN ATTACH 'DIR/vault.db' AS v",
    'DETACH main',
    "VACUUM INTO 'DIR/out'",
    "VACUUM main INTO 'DIR/out'",
    "VACUUM INTO ('DIR' || '/out')",
    'VACUUM',
    "SELECT load_extension('DIR/out')",
    "SELECT load_extension('DIR/out', 'x')",
    "SELECT readfile('DIR/canary.txt')",
    "SELECT writefile('DIR/out', 'x')",
    "SELECT edit('x', 'touch DIR/out')",
    "SELECT * FROM fsdir('DIR')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT fts3_tokenizer('x', x'4141414141414141')",
    'CREATE VIRTUAL TABLE t USING fts3(a)',
    'CREATE VIRTUAL TABLE t USING fts4(a, tokenize=unicode61)',
    "CREATE VIRTUAL TABLE t USING csv(filename='DIR/canary.txt')",
    "CREATE VIRTUAL TABLE t USING zipfile('DIR/out')",
    'CREATE VIRTUAL TABLE t USING dbstat',
    'CREATE VIRTUAL TABLE temp.t USING fsdir',
    'PRAGMA database_list',
    'SELECT * FROM pragma_database_list',
    "PRAGMA temp_store_directory = 'DIR'",
    "PRAGMA data_store_directory = 'DIR'",
    'PRAGMA writable_schema = ON',
    'PRAGMA journal_mode = OFF',
    'PRAGMA journal_mode = DELETE',
    'PRAGMA trusted_schema = ON',
    'PRAGMA max_page_count = 1000000000',
    'PRAGMA page_size = 65536',
    'PRAGMA temp_store = FILE',
    'PRAGMA mmap_size = 1000000000',
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA user_version = 7',
    'PRAGMA synchronous = OFF',
    'PRAGMA hard_heap_limit = 1',
    'PRAGMA module_list',
    "UPDATE sqlite_schema SET sql = 'x'",
    'DELETE FROM sqlite_master',
    "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'x')",
    'SELECT * FROM victim.secrets',
    "SELECT sqlite_log(1, 'x')",
  ])('%s', async (sql) => {
    const before = readdirSync(bench.dataDir).toSorted();
    const call = bench.sql(sql.replaceAll('DIR', bench.dataDir));
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(?:db_error|sql_invalid)$/) });
    expect(readdirSync(bench.dataDir).toSorted()).toEqual(before);
    expect(existsSync(out())).toBe(false);
    expect(readFileSync(own(), 'latin1')).not.toContain(CANARY);
  });

  test.each([
    ['a view', "CREATE VIEW w AS SELECT load_extension('x') AS v", 'SELECT * FROM w'],
    [
      'a trigger',
      "CREATE TRIGGER late AFTER INSERT ON counted BEGIN SELECT load_extension('x'); END",
      'INSERT INTO counted VALUES (1)',
    ],
    ['an index', "CREATE INDEX late ON counted (load_extension('x'))", 'INSERT INTO counted VALUES (1)'],
    ['a default', "CREATE TABLE late (a DEFAULT (load_extension('x')))", 'INSERT INTO late DEFAULT VALUES'],
    [
      'a generated column',
      'CREATE TABLE late2 (a, b AS (fts3_tokenizer(a)))',
      "INSERT INTO late2 (a) VALUES ('simple'); ",
    ],
  ])('%s does not call forbidden functions later', async (_what, make, use) => {
    const made = await bench.sql(make).then(
      () => true,
      () => false,
    );
    if (!made) {
      await expect(bench.sql(make)).rejects.toMatchObject({ code: 'db_error' });
      return;
    }
    const used =
      _what === 'a generated column' ? bench.sql(use).then(() => bench.sql('SELECT b FROM late2')) : bench.sql(use);
    await expect(used).rejects.toMatchObject({ code: 'db_error' });
  });

  test('the allowed kinds of tables still work', async () => {
    await bench.sql('CREATE VIRTUAL TABLE words USING fts5(t)');
    await bench.sql("INSERT INTO words VALUES ('filling line seven')");
    expect((await bench.sql("SELECT t FROM words WHERE words MATCH 'line'")).rows).toEqual([
      { t: 'filling line seven' },
    ]);
    expect((await bench.sql('PRAGMA table_info(orders)')).rows.map(({ name }) => name)).toEqual(['id', 'note']);
  });
});

test('a file that cannot be opened fails the call, and the next call tries again', async () => {
  const folder = join(bench.dataDir, 'projects', 'other');
  await bench.databases.configure('other', { project: 'other', connections: [], queries: [], tags: [], scripts: [] });
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, 'data.sqlite'), { force: true });
  writeFileSync(join(folder, 'data.sqlite'), 'this is no database, whatever its name says'.repeat(100));
  await expect(bench.sql('SELECT 1', {}, { project: 'other' })).rejects.toMatchObject({ code: 'db_unreachable' });
  rmSync(join(folder, 'data.sqlite'));
  expect((await bench.sql('SELECT 1 AS one', {}, { project: 'other' })).rows).toEqual([{ one: 1 }]);
});

test('a process whose gateway exited before it started exits by itself', async () => {
  const nobody = 2 ** 30;
  const child = fork(new URL('./worker.ts', import.meta.url), [join(bench.dataDir, 'late.sqlite'), String(nobody)], {
    execArgv: [],
    env: {},
    serialization: 'advanced',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

const ANY_JOB = {
  statements: [],
  transaction: false,
  readOnly: false,
  rowsMax: 1,
  growPagesMax: PAGES_MAX,
  logBytesMax: Infinity,
  keepFreeBytes: 0,
} satisfies Omit<Job, 'id'>;

test('a write statement is stopped when free disk space falls below the reserve, whatever its limit was', async () => {
  const child = fork(
    new URL('./worker.ts', import.meta.url),
    [join(bench.dataDir, 'room.sqlite'), String(process.pid)],
    {
      execArgv: [],
      env: {},
      serialization: 'advanced',
    },
  );
  const statements = ['CREATE TABLE t (n)', `INSERT INTO t ${ENDLESS.replace('count(*)', 'x')}`];
  const bound = statements.map((sql) => ({ sql, values: [], keyword: '' }));
  child.send({ ...ANY_JOB, id: 1, statements: bound, keepFreeBytes: Infinity } satisfies Job);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a %s to the process group leaves the process to the gateway, which ends it when its calls are done',
  async (signal) => {
    const file = join(bench.dataDir, `${signal}.sqlite`);
    const child = fork(new URL('./worker.ts', import.meta.url), [file, String(process.pid)], {
      execArgv: [],
      env: {},
      serialization: 'advanced',
    });
    const exited = once(child, 'exit');
    const ask = async (id: number) => {
      const answered = Promise.race([once(child, 'message'), exited]);
      child.send({ ...ANY_JOB, id } satisfies Job);
      return (await answered)[0] as unknown;
    };
    expect(await ask(1)).toEqual({ id: 1, results: [], pages: 1 });
    child.kill(signal);
    expect(await ask(2)).toEqual({ id: 2, results: [], pages: 1 });
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  },
);
