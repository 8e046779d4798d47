import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLS, type CallDeclaration, type CallName } from '#common/capabilities/calls.ts';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { NodeError, ScopeMissingError } from '#sdk';
import { until } from '#test/until.ts';
import { callWith, type Held, holding, type Perform, stubDoor } from './capability-fixture.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture.sandbox.close());

const echo: Perform = ({ name, args }) => ({ name, args });

/** Runs `export default async (msg) => { … }` once. */
async function run(body: string, held: Held, input: unknown = null, deadlineSeconds = 60): Promise<unknown> {
  const script = await fixture.compile(`export default async (msg) => {\n${body}\n}`, deadlineSeconds);
  try {
    return await callWith(script, held, input);
  } finally {
    script.close();
  }
}

/** A call of each kind as written in a script, and the arguments that the broker must receive. */
const ROUND_TRIPS: readonly (readonly [CallName, string, Record<string, unknown>])[] = [
  ['tags.read', "tags.read('line7/speed')", { path: 'line7/speed' }],
  ['tags.readMany', "tags.readMany(['line7/*'])", { paths: ['line7/*'] }],
  ['tags.write', "tags.write('line7/speed', 5)", { path: 'line7/speed', value: 5 }],
  ['tags.writeMany', "tags.writeMany([{ path: 'a', value: 1 }])", { writes: [{ path: 'a', value: 1 }] }],
  ['db.query', "db.query('orders', { id: 7 })", { name: 'orders', params: { id: 7 } }],
  ['db.sql', "db.sql('main', 'select :a', { a: 1 })", { connection: 'main', sql: 'select :a', params: { a: 1 } }],
  [
    'db.transaction',
    "db.transaction('main', [{ sql: 'select 1' }])",
    { connection: 'main', statements: [{ sql: 'select 1', params: {} }] },
  ],
  [
    'db.procedure',
    "db.procedure('main', 'dbo.book', { a: 1 })",
    { connection: 'main', procedure: 'dbo.book', params: { a: 1 } },
  ],
  [
    'historian.query',
    "historian.query({ tags: ['a'], from: 'now-8h', aggregate: 'mean' })",
    { tags: ['a'], from: 'now-8h', to: 'now', aggregate: 'mean', interval: 0, limit: 10_000 },
  ],
  ['vars.get', "vars.get('shift')", { name: 'shift' }],
  ['vars.set', "vars.set('shift', { a: [1] })", { name: 'shift', value: { a: [1] } }],
  ['vars.increment', "vars.increment('n')", { name: 'n', by: 1 }],
  ['vars.compareAndSet', "vars.compareAndSet('n', null, 1)", { name: 'n', expected: null, value: 1 }],
  ['vars.list', 'vars.list()', { prefix: '' }],
  ['vars.remove', "vars.remove('n')", { name: 'n' }],
  ['files.read', "files.read('a.csv', 'csv')", { path: 'a.csv', format: 'csv' }],
  ['files.list', 'files.list()', { folder: '' }],
  ['files.write', "files.write('a.txt', 'hi')", { path: 'a.txt', content: 'hi', format: 'text' }],
  ['files.remove', "files.remove('a.txt')", { path: 'a.txt' }],
  ['scripts.run', "scripts.run('convert', [1, 2])", { name: 'convert', args: [1, 2] }],
  ['messages.send', "messages.send('orders/new', { a: 1 })", { channel: 'orders/new', payload: { a: 1 } }],
  ['log', "log('hello', 'warn')", { message: 'hello', level: 'warn' }],
];

describe('a capability call of a script', () => {
  test('is tested here for every declaration that is not for plugins only', () => {
    const declared = Object.entries(CALLS as Record<string, CallDeclaration>).filter(([, call]) => !call.pluginsOnly);
    expect(ROUND_TRIPS.map(([name]) => name).toSorted()).toEqual(declared.map(([name]) => name).toSorted());
  });

  test.each(ROUND_TRIPS)('%s passes the capability broker and returns', async (name, code, args) => {
    const { scope } = CALLS[name];
    const held = holding(stubDoor(echo), scope === null ? [] : [scope]);
    expect(await run(`return await ${code};`, held)).toEqual({ name, args });
  });

  test.each(ROUND_TRIPS.filter(([name]) => CALLS[name].scope !== null))(
    '%s without its scope is refused, by its name',
    async (name, code) => {
      const { scope } = CALLS[name];
      const door = stubDoor(() => expect.unreachable('the door was open'));
      const others = SCOPES.filter((one) => one !== scope);
      const error: unknown = await run(`return await ${code};`, holding(door, others)).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ScopeMissingError);
      expect(error).toMatchObject({ code: 'scope_missing', missing: [scope] });
    },
  );

  test('takes named arguments in one object', async () => {
    const held = holding(stubDoor(echo), SCOPES);
    expect(await run("return tags.write({ value: { deep: true }, path: 'a' })", held)).toEqual({
      name: 'tags.write',
      args: { path: 'a', value: { deep: true } },
    });
    expect(await run("return historian.query(['a'], 'now-1h', undefined, 'max')", held)).toMatchObject({
      args: { to: 'now', aggregate: 'max' },
    });
  });

  test('carries bytes both ways, as copies', async () => {
    const held = holding(
      stubDoor(({ args: { content } }) => ({ bytes: Uint8Array.from(content as Uint8Array, (byte) => byte + 1) })),
      SCOPES,
    );
    const body = `
      const sent = new Uint8Array([1, 2, 3, 4]).subarray(1);
      const pending = files.write('a', sent, 'bytes');
      sent.fill(9);
      const { bytes } = await pending;
      return { type: bytes.constructor.name, bytes, text: '\\u00010' };`;
    expect(await run(body, held)).toEqual({ type: 'Uint8Array', bytes: new Uint8Array([3, 4, 5]), text: '\u00010' });
  });

  test('never turns text into bytes, or into bytes of another call', async () => {
    const held = holding(
      stubDoor(({ args }) => args),
      SCOPES,
    );
    const body = `
      const all = await Promise.all([
        vars.set('a', ['\\u00010', new Uint8Array([1])]), vars.set('b', [new Uint8Array([2]), '\\u0001\\u00010']), vars.set('c', '\\u00010')]);
      return all.map(({ value }) => value);`;
    expect(await run(body, held)).toEqual([
      ['\u00010', new Uint8Array([1])],
      [new Uint8Array([2]), '\u0001\u00010'],
      '\u00010',
    ]);
  });

  test('rejects with code and message, and nothing else of the host', async () => {
    const door = stubDoor(() => {
      throw new NodeError('tag_unknown', 'there is no tag "a"', { cause: new Error('/host/path') });
    });
    const body = `try { await tags.read('a'); } catch (e) {
      return [e instanceof Error, e.code, e.message, Object.keys(e), /host|node:|\\.ts/.test(e.stack + JSON.stringify(e)), e.cause === undefined]; }`;
    expect(await run(body, holding(door, SCOPES))).toEqual([
      true,
      'tag_unknown',
      'there is no tag "a"',
      ['code'],
      false,
      true,
    ]);
  });

  test('that fails uncaught fails the run with its message and the line of the call', async () => {
    const door = stubDoor(() => {
      throw new NodeError('tag_unknown', 'there is no tag "a"');
    });
    await expect(run("\nawait tags.read('a');", holding(door, SCOPES))).rejects.toMatchObject({
      code: 'script_failed',
      message: 'there is no tag "a" (line 3)',
    });
  });

  test('reveals nothing about an error of the gateway itself', async () => {
    const door = stubDoor(() => {
      throw new TypeError('secret detail');
    });
    await expect(run("await tags.read('a');", holding(door, SCOPES))).rejects.toMatchObject({
      message: 'tags.read failed (line 2)',
    });
    expect(fixture.log.at(-1)).toBe('error sandbox: the capability call tags.read failed: secret detail');
  });

  test.each([
    ['tags.read(7)', 'call_invalid', /^tags.read: path: /],
    ["tags.read('a', 1, 2)", 'call_invalid', /at most 2 arguments/],
    ["tags.read('a', 0)", 'call_invalid', /^tags.read: maxAge: expected seconds from 0.1/],
    ["tags.write({ path: 'a', valeu: 1 })", 'call_invalid', /unknown argument valeu/],
    ["tags.write('a', () => 1)", 'call_invalid', /is a function, which is not data/],
    ["tags.write('a', 1n)", 'call_invalid', /^tags.write: an argument is not data: .*BigInt/],
    ["vars.set('a', { deep: [1n] })", 'call_invalid', /^vars.set: an argument is not data: .*BigInt/],
    ["vars.set('a', [new Uint8Array(3), 1n])", 'call_invalid', /BigInt/],
    ["vars.set('a', ((cycle) => (cycle.self = cycle))({}))", 'call_invalid', /^vars.set: .*circular reference/],
    ['vars.set("a", Array(1e5).fill().reduce((deep) => [deep], 1))', 'call_invalid', /call stack size/],
    ["vars.set('a', { get b() { throw new RangeError('its own') } })", undefined, /^its own$/],
    ["vars.set('a', new Proxy({}, { ownKeys() { throw new Error('its own') } }))", undefined, /^its own$/],
    ["vars.set('a', JSON.parse('{\"__proto__\":1}'))", 'call_invalid', /a key that is refused/],
    ["vars.set('a', 'x'.repeat(9e6))", 'call_invalid', /larger than 8388608 characters/],
    ["vars.set('a', new Uint8Array(17e6))", undefined, /./],
  ])('with invalid arguments is refused: %s', async (code, expected, text) => {
    const door = stubDoor(() => expect.unreachable('the door was open'));
    const body = `try { await ${code}; return 'passed'; } catch (e) { return [e.code, e.message]; }`;
    const result = await run(body, holding(door, SCOPES)).catch((error: Error) => [undefined, error.message]);
    expect(result).toEqual(
      [expected ?? null, expect.stringMatching(text)].map((x, i) =>
        i === 0 ? (expected ?? (Array.isArray(result) ? result[0] : x)) : x,
      ),
    );
  });

  test('is not available to a script without capabilities, and http.request to no script', async () => {
    const script = await fixture.compile(
      "export default async () => { try { await log('x') } catch (e) { return [e.code, typeof http] } }",
    );
    const outcome = await script.call(null, { signal: new AbortController().signal, capabilities: null });
    expect(outcome).toEqual(['call_unknown', 'undefined']);
    script.close();
  });

  test('cannot be made while the script is loaded', async () => {
    await expect(fixture.compile("await tags.read('a'); export default () => 1")).rejects.toMatchObject({
      code: 'script_invalid',
      message: expect.stringContaining('cannot be called before the script runs'),
    });
  });
});

describe('the cause of a failed run', () => {
  const denied = (): Held => holding(stubDoor(echo), ['tag:read']);

  test.each([
    ['awaited', "await db.query('q')"],
    ['thrown on', "try { await db.query('q') } catch (e) { throw e }"],
    ['one of several', "await Promise.all([tags.read('a'), db.query('q')])"],
    ['never asked for', "db.query('q'); return 1"],
    ['never asked for, while others are', "db.query('q'); await tags.read('a'); return 1"],
    ['left behind in a chain', "tags.read('a').then(() => 1); db.query('q'); return 1"],
  ])('a denied call that is %s results in 403 with its scope', async (_title, body) => {
    const error: unknown = await run(body, denied()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ScopeMissingError);
    expect(error).toMatchObject({ missing: ['db:read'] });
  });

  test.each([
    ['caught', "try { await db.query('q') } catch { return 'ok' }"],
    ['caught by a handler', "return db.query('q').catch(() => 'ok')"],
    ['caught with others', "try { await Promise.all([db.query('q'), db.query('r')]) } catch { return 'ok' }"],
    ['asked for later', "const p = db.query('q'); await tags.read('a'); try { await p } catch { return 'ok' }"],
    ['the loser of a race', "return Promise.race([Promise.resolve('ok'), db.query('q')])"],
  ])('a denied call that is %s does not', async (_title, body) => {
    expect(await run(body, denied())).toBe('ok');
  });

  test('a script that throws its own error is reported as such', async () => {
    const body = "try { await db.query('q') } catch (e) { throw new Error('instead') }";
    await expect(run(body, denied())).rejects.toMatchObject({ code: 'script_failed', message: 'instead (line 2)' });
  });

  test('a key that is revoked during a run loses the next call', async () => {
    const door: Held = holding(
      stubDoor(({ args }) => {
        if (args['path'] === 'first') door.principal.revoked = true;
        return 'read';
      }),
      SCOPES,
    );
    const body =
      "const first = await tags.read('first'); try { await tags.read('second') } catch (e) { return [first, e.code, e.message] }";
    expect(await run(body, door)).toEqual(['read', 'scope_missing', 'the run lacks the scope tag:read']);
  });
});

describe('log lines', () => {
  const logging = (): Held =>
    holding(
      stubDoor(({ args, context }) => (context.log(args['level'] as 'info', String(args['message'])), null)),
      [],
    );

  test.each([
    ['returns', "log('one'); log('two'); return 1", ['info one', 'info two']],
    ['throws', "log('one', 'error'); throw new Error('x')", ['error one']],
    ['waits', "await log('one'); await log('two')", ['info one', 'info two']],
  ])('that nobody waits for are written when the script %s', async (_title, body, lines) => {
    const held = logging();
    await run(body, held).catch(() => undefined);
    expect(held.lines).toEqual(lines);
  });
});

describe('while a call is pending', () => {
  test('the clock of the deadline is paused, and computing before and after it counts', async () => {
    const slow = stubDoor(async () => {
      await new Promise((done) => setTimeout(done, 400));
      return 'late';
    });
    const held = holding(slow, SCOPES);
    expect(await run("return await tags.read('a')", held, null, 0.15)).toBe('late');
    const spin = 'const spin = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };';
    const error = run(`${spin} spin(200); await vars.get('a'); spin(400); return 1;`, held, null, 0.5);
    await expect(error).rejects.toMatchObject({ code: 'script_deadline' });
  });

  test('the worker continues with other scripts and with other runs of this one', async () => {
    const gate = Promise.withResolvers<string>();
    const held = holding(
      stubDoor(({ args }) => (args['name'] === 'wait' ? gate.promise : 'at once')),
      SCOPES,
    );
    const script = await fixture.compile('export default async (name) => vars.get(name)');
    const waiting = Array.from({ length: 200 }, () => callWith(script, held, 'wait'));
    for (let index = 0; index < 20; index++) expect(await callWith(script, held, 'quick')).toBe('at once');
    gate.resolve('opened');
    expect(await Promise.all(waiting)).toEqual(Array(200).fill('opened'));
    script.close();
  });

  test('a run that is cancelled ends at once, and its late result is dropped', async () => {
    const gate = Promise.withResolvers<string>();
    let asked = 0;
    const held = holding(
      stubDoor(() => ((asked += 1), gate.promise)),
      SCOPES,
    );
    const script = await fixture.compile("export default async () => { await vars.get('a'); await vars.get('b'); }");
    const cancel = new AbortController();
    const cancelled = callWith(script, held, null, cancel.signal);
    await until('the call is under way', () => asked === 1);
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'script_cancelled' });
    gate.resolve('late');
    const other = callWith(script, holding(stubDoor(echo), SCOPES));
    await other;
    expect(asked).toBe(1);
    script.close();
  });

  test.each(['script', 'sandbox'] as const)('closing the %s fails the run', async (what) => {
    const own = await makeFixture();
    let asked = 0;
    const held = holding(
      stubDoor(() => ((asked += 1), new Promise(() => undefined))),
      SCOPES,
      { remainingMs: () => 50 },
    );
    const script = await own.compile("export default async () => vars.get('a')");
    const result = Promise.allSettled([callWith(script, held)]);
    await until('the call is under way', () => asked === 1);
    if (what === 'script') script.close();
    else await own.sandbox.close();
    expect(await result).toMatchObject([{ reason: { code: 'script_cancelled' } }]);
    await own.sandbox.close();
  });

  test('a promise that no call can settle still fails the run', async () => {
    const held = holding(stubDoor(echo), SCOPES);
    await expect(run("await vars.get('a'); await new Promise(() => {})", held)).rejects.toMatchObject({
      code: 'script_stalled',
    });
  });

  test('computed values, random numbers and grown memory are there when it continues', async () => {
    const held = holding(
      stubDoor(() => 1),
      SCOPES,
    );
    const body = `
      const map = new Map([['a', 1]]); const first = Math.random(); const large = new Uint8Array(12e6).fill(7);
      const texts = Array.from({ length: 1000 }, (_, i) => 'text ' + i);
      await vars.get('a');
      map.set('b', 2);
      return { size: map.size, differ: Math.random() !== first, sum: large.reduce((a, b) => a + b, 0), last: texts[999] };`;
    expect(await run(body, held)).toEqual({ size: 2, differ: true, sum: 84e6, last: 'text 999' });
  });

  test('a run leaves nothing to the next one', async () => {
    const held = holding(
      stubDoor(() => 1),
      SCOPES,
    );
    const script = await fixture.compile(
      "let n = 0; export default async () => { n++; globalThis.m = (globalThis.m ?? 0) + 1; await vars.get('a'); return [++n, ++m]; }",
    );
    for (let index = 0; index < 3; index++) expect(await callWith(script, held)).toEqual([2, 2]);
    expect(await Promise.all(Array.from({ length: 50 }, () => callWith(script, held)))).toEqual(
      Array.from({ length: 50 }, () => [2, 2]),
    );
    script.close();
  });

  test('the run with the first response continues on its own', async () => {
    const held = holding(
      stubDoor(({ args }) => (args['name'] === 'slow' ? new Promise(() => undefined) : 'first')),
      SCOPES,
      { remainingMs: () => 50 },
    );
    expect(await run("return Promise.race([vars.get('slow'), vars.get('quick')])", held)).toBe('first');
  });
});

describe('limits', () => {
  test.each([
    ['under way', "await Promise.all(Array.from({ length: 257 }, () => vars.get('a')))", /more than 256 of its/],
    ['in all', "for (;;) await Promise.all(Array.from({ length: 250 }, () => vars.get('a')))", /more than 10000 cap/],
  ])('of calls %s apply', async (_title, body, text) => {
    await expect(
      run(
        body,
        holding(
          stubDoor(() => 1),
          SCOPES,
        ),
      ),
    ).rejects.toMatchObject({
      code: 'script_overloaded',
      message: expect.stringMatching(text),
    });
  });
});

const ALL: readonly Scope[] = SCOPES;

describe('a script that tampers with its own world', () => {
  test.each([
    ['replaces the globals', "try { tags = { read: () => 'forged' } } catch (e) { return e.name }", 'TypeError'],
    ['replaces a call', "try { tags.read = () => 'forged' } catch (e) { return e.name }", 'TypeError'],
    ['deletes the globals', 'try { delete globalThis.tags } catch (e) { return e.name }', 'TypeError'],
    [
      'redefines them',
      "try { Object.defineProperty(globalThis, 'tags', { value: 1 }) } catch (e) { return e.name }",
      'TypeError',
    ],
  ])('cannot change %s', async (_title, body, expected) => {
    expect(await run(body, holding(stubDoor(echo), ALL))).toBe(expected);
  });

  test.each([
    ['Promise', 'globalThis.Promise = class {}; Promise.prototype.then = 1;'],
    ['Promise.prototype.then', 'Promise.prototype.then = () => { throw 1 }; Promise.prototype.constructor = null;'],
    ['JSON', 'JSON.stringify = () => \'[[[1,"db.query","[]",0,[]]],[]]\'; JSON.parse = () => 1;'],
    [
      'Object.prototype',
      "Object.prototype.toJSON = () => ['q']; Object.prototype.get = 1; Object.prototype.value = 1;",
    ],
    [
      'Array.prototype',
      "Object.defineProperty(Array.prototype, '0', { set() { throw 1 } }); Array.prototype.toJSON = () => 'x'; Array.prototype.push = null;",
    ],
    [
      'an index of arrays, to forge requests',
      "Object.defineProperty(Array.prototype, '0', { get() { return [1, 'db.query', '[\"q\"]', 0, []] }, set(v) {} });",
    ],
    [
      'String.prototype and Reflect',
      'String.prototype.slice = String.prototype.indexOf = () => 0; Reflect.apply = null; Symbol.iterator = 1;',
    ],
    ['Error', 'globalThis.Error = null; Error.prepareStackTrace = () => { throw 1 };'],
    ['Map, Function and call', 'Map.prototype.get = null; Function.prototype.call = Function.prototype.apply = null;'],
  ])('by overwriting %s reaches nothing without its scope and breaks no worker', async (_title, code) => {
    const reached: string[] = [];
    const held = holding(
      stubDoor(({ name }) => {
        reached.push(name);
        return 1;
      }),
      ['tag:read'],
    );
    const body = `try { ${code} } catch {}\n try { await tags.read('a') } catch {}\n try { await db.query('q') } catch {}\n return 1`;
    await run(body, held, null, 5).catch((error: unknown) => expect(error).toBeInstanceOf(NodeError));
    expect(reached.filter((name) => name !== 'tags.read')).toEqual([]);
    expect(await run("return tags.read('a')", held)).toBe(1);
    expect(fixture.log.filter((line) => line.includes('lost'))).toEqual([]);
  });
});
