import { describe, expect, test } from 'vitest';
import { CALLS, type CallName } from '#common/capabilities/calls.ts';
import { isLimitedCall } from '#common/capabilities/things.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import { type Scope, SCOPES, scopeMask } from '#common/scopes.ts';
import { LimitMissingError, NodeError, ScopeMissingError } from '#sdk';
import { callContext } from './call-context.testing.ts';
import { CapabilityAccess } from './access.ts';
import type { CallContext, Capability } from './contract.ts';
import { CALLS_PER_PROJECT_MAX, CapabilityBroker } from './capability-broker.ts';
import { heldLimits, type ThingLimits } from './limits.ts';
import { grantsPrincipal, narrowed, onBehalf, type Principal } from './principal.ts';

/** Valid arguments for each call. */
const SAMPLE: Record<CallName, object> = {
  'tags.read': { path: 'a/b' },
  'tags.readMany': { paths: ['a/*'] },
  'tags.write': { path: 'a/b', value: 1 },
  'tags.writeMany': { writes: [{ path: 'a/b', value: 1 }] },
  'db.query': { name: 'orders' },
  'db.sql': { connection: 'embedded', sql: 'SELECT 1' },
  'db.transaction': { connection: 'embedded', statements: [{ sql: 'SELECT 1' }] },
  'db.procedure': { connection: 'embedded', procedure: 'book' },
  'historian.query': { tags: ['a/b'], from: 'now-1h' },
  'vars.get': { name: 'shift' },
  'vars.set': { name: 'shift', value: 1 },
  'vars.increment': { name: 'shift' },
  'vars.compareAndSet': { name: 'shift', expected: 1, value: 2 },
  'vars.list': {},
  'vars.remove': { name: 'shift' },
  'files.read': { path: 'a.txt' },
  'files.list': {},
  'files.write': { path: 'a.txt', content: '' },
  'files.remove': { path: 'a.txt' },
  'scripts.run': { name: 'sum' },
  'messages.send': { channel: 'orders', payload: 1 },
  log: { message: 'hello' },
  'http.request': { url: 'http://mes/' },
};
const NAMES = Object.keys(CALLS).filter((name): name is CallName => name in SAMPLE);

/** A broker whose calls return their own name. */
const everyCall: Capability<never> = {
  calls: Object.fromEntries(NAMES.map((name) => [name, () => name])),
  close: () => Promise.resolve(),
};

function contextOf(principal: Principal, more: Partial<CallContext> = {}): CallContext {
  return callContext({ principal, ...more });
}

const withScopes = (...scopes: Scope[]): Principal => grantsPrincipal(scopeMask(scopes));
const plugin = { id: 'acme', targets: [] };
/** Calls by name as a string: the types protect the callers, not the checks. */
const call = (door: CapabilityBroker, context: CallContext, name: string, args: object = {}): Promise<unknown> =>
  door.call(context, name as CallName, args);
const refusal = (error: unknown): unknown =>
  error instanceof ScopeMissingError ? error.missing : error instanceof NodeError ? error.code : error;

describe('each capability call', () => {
  const door = new CapabilityBroker([everyCall]);

  test.each(NAMES)('%s passes with only its scope', async (name) => {
    const { scope } = CALLS[name];
    const principal = withScopes(...(scope === null ? [] : [scope]));
    expect(await call(door, contextOf(principal, { plugin }), name, SAMPLE[name])).toBe(name);
  });

  test.each(NAMES.filter((name) => CALLS[name].scope !== null))(
    '%s is refused with every scope except its own, and the scope is named',
    async (name) => {
      const { scope } = CALLS[name];
      const others = SCOPES.filter((one) => one !== scope);
      const told = await call(door, contextOf(withScopes(...others)), name, SAMPLE[name]).catch(refusal);
      expect(told).toEqual([scope]);
    },
  );

  test.each(NAMES.filter((name) => CALLS[name].scope !== null))('%s is refused for a revoked key', async (name) => {
    const revoked: Principal = {
      scopes: scopeMask(SCOPES),
      revoked: true,
      limits: null,
      rehearsal: false,
      things: null,
    };
    for (const principal of [
      revoked,
      narrowed(revoked, scopeMask(SCOPES)),
      onBehalf(revoked, grantsPrincipal(scopeMask(SCOPES))),
    ])
      expect(await call(door, contextOf(principal), name, SAMPLE[name]).catch(refusal)).toEqual([CALLS[name].scope]);
  });

  test.each(NAMES)('%s refuses an unknown argument', async (name) => {
    const args = { ...SAMPLE[name], extra: 1 };
    const told = await call(door, contextOf(withScopes(...SCOPES), { plugin }), name, args).catch(refusal);
    expect(told).toBe('call_invalid');
  });

  test('checks the scope before the arguments, and the arguments before the limit', async () => {
    const lacking = call(door, contextOf(withScopes()), 'tags.read', { path: 7 });
    expect(await lacking.catch(refusal)).toEqual(['tag:read']);
    const { promise, resolve } = Promise.withResolvers<null>();
    const full = new CapabilityBroker([{ calls: { 'vars.get': () => promise }, close: () => Promise.resolve() }]);
    const context = contextOf(withScopes('vars:read'));
    const many = Array.from({ length: CALLS_PER_PROJECT_MAX }, () => call(full, context, 'vars.get', { name: 'a' }));
    expect(await call(full, context, 'vars.get', { name: 7 }).catch(refusal)).toBe('call_invalid');
    expect(await call(full, context, 'vars.get', { name: 'a' }).catch(refusal)).toBe('calls_full');
    resolve(null);
    await Promise.all(many);
  });

  test('is unknown to other callers if only plugins have it', async () => {
    const told = await call(door, contextOf(withScopes(...SCOPES)), 'http.request', SAMPLE['http.request']).catch(
      refusal,
    );
    expect(told).toBe('call_unknown');
  });
});

describe('the rights of a call', () => {
  const key = {
    scopes: scopeMask(['tag:read', 'db:read']),
    revoked: false,
    limits: null,
    rehearsal: false,
    things: null,
  };

  test('are checked when the call is made, not when the run began', async () => {
    const caller = { ...key };
    const door = new CapabilityBroker([everyCall]);
    const access = new CapabilityAccess(door, contextOf(caller));
    expect(await access.call('tags.read', { path: 'a' })).toBe('tags.read');
    caller.revoked = true;
    await expect(access.call('tags.read', { path: 'a' })).rejects.toThrow('the run lacks the scope tag:read');
  });

  test("are those that both the caller and the node's own list have", async () => {
    const door = new CapabilityBroker([everyCall]);
    const access = new CapabilityAccess(door, contextOf(key)).limitedTo(['tag:read', 'tag:write']);
    expect(await access.call('tags.read', { path: 'a' })).toBe('tags.read');
    await expect(access.call('tags.write', { path: 'a', value: 1 })).rejects.toThrow('tag:write');
    await expect(access.call('db.query', { name: 'q' })).rejects.toThrow('db:read');
    await expect(access.limitedTo(['db:read']).call('db.query', { name: 'q' })).rejects.toThrow('db:read');
  });

  test('on behalf of a caller are the grants, until the key of the caller is revoked', async () => {
    const caller = { ...key };
    const door = new CapabilityBroker([everyCall]);
    const access = new CapabilityAccess(door, contextOf(onBehalf(caller, grantsPrincipal(scopeMask(['file:read'])))));
    expect(await access.call('files.list', {})).toBe('files.list');
    await expect(access.call('tags.read', { path: 'a' })).rejects.toThrow('tag:read');
    caller.revoked = true;
    await expect(access.call('files.list', {})).rejects.toThrow('file:read');
  });
});

describe('a call from a script', () => {
  const door = new CapabilityBroker([
    { calls: { 'tags.write': (args: unknown) => args }, close: () => Promise.resolve() },
  ]);
  const context = contextOf(withScopes(...SCOPES));

  test('passes its arguments in the declared order', async () => {
    expect(await door.invoke(context, 'tags.write', ['a/b', 7])).toEqual({ path: 'a/b', value: 7 });
  });

  test.each([
    ['an unknown call', 'tags.drop', [], 'call_unknown'],
    ['a call that nothing provides', 'files.list', [], 'call_unknown'],
    ['a name of every object', 'constructor', [], 'call_unknown'],
    ['a name of the prototype', '__proto__', [], 'call_unknown'],
    ['too many arguments', 'tags.write', ['a', 1, 2], 'call_invalid'],
    ['an argument of another kind', 'tags.write', [{}, 1], 'call_invalid'],
    ['a path out of its folder', 'tags.write', ['../a', 1], 'call_invalid'],
  ])('with %s is refused', async (_what, name, positional, code) => {
    expect(await door.invoke(context, name, positional).catch(refusal)).toBe(code);
  });

  test('reports which argument is invalid and what was expected', async () => {
    await expect(door.invoke(context, 'tags.write', [7, 1])).rejects.toThrow(
      /^tags\.write: path: expected a tag path such as line7\/filler\/speed/,
    );
    await expect(door.invoke(context, 'tags.write', ['a'])).rejects.toThrow('tags.write: value: expected a value');
  });
});

describe('limits', () => {
  const waiting = (): { door: CapabilityBroker; signals: AbortSignal[]; release: () => void } => {
    const signals: AbortSignal[] = [];
    const { promise, resolve } = Promise.withResolvers<null>();
    const perform = (_args: unknown, _context: unknown, signal: AbortSignal): Promise<null> => {
      signals.push(signal);
      return promise;
    };
    const door = new CapabilityBroker([{ calls: { 'vars.get': perform }, close: () => Promise.resolve() }]);
    return { door, signals, release: () => resolve(null) };
  };
  const read = (door: CapabilityBroker, context: CallContext): Promise<unknown> =>
    door.call(context, 'vars.get', { name: 'a' });

  test('a call ends when the time of its run is up, and its implementation is notified', async () => {
    const { door, signals } = waiting();
    const context = contextOf(withScopes('vars:read'), { remainingMs: () => 30 });
    expect(await read(door, context).catch(refusal)).toBe('call_timeout');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('a call ends with its run', async () => {
    const { door, signals } = waiting();
    const run = new AbortController();
    const pending = read(door, contextOf(withScopes('vars:read'), { signal: run.signal })).catch(refusal);
    run.abort();
    expect(await pending).toBe('call_cancelled');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('no call is started for a run that has ended', async () => {
    const { door, signals } = waiting();
    for (const over of [{ signal: AbortSignal.abort() }, { remainingMs: () => 0 }]) {
      const context = contextOf(withScopes('vars:read'), over);
      expect(await read(door, context).catch(refusal)).toBe('call_cancelled');
    }
    expect(signals).toEqual([]);
  });

  test('the calls of one project leave room for the others', async () => {
    const { door, release } = waiting();
    const greedy = contextOf(withScopes('vars:read'));
    const many = Array.from({ length: CALLS_PER_PROJECT_MAX }, () => read(door, greedy));
    expect(await read(door, greedy).catch(refusal)).toBe('calls_full');
    const other = read(door, contextOf(withScopes('vars:read'), { project: 'q' }));
    release();
    expect(await other).toBeNull();
    await Promise.all(many);
    expect(await read(door, greedy)).toBeNull();
  });
});

test('a broker with a call that is not declared, or is given twice, is refused', () => {
  const twice: Capability<never> = { calls: { log: () => null }, close: () => Promise.resolve() };
  expect(() => new CapabilityBroker([twice, twice])).toThrow('given twice');
  const undeclared: Capability<never> = { calls: { 'tags.drop': () => null }, close: () => Promise.resolve() };
  expect(() => new CapabilityBroker([undeclared])).toThrow('tags.drop');
});

describe('the limits of a key', () => {
  const door = new CapabilityBroker([everyCall]);
  const limited = (limits: KeyLimits): Principal & { limits: ThingLimits | null } => ({
    scopes: scopeMask(SCOPES),
    revoked: false,
    limits: heldLimits(limits).limits,
    rehearsal: false,
    things: null,
  });
  const outside = (error: unknown): unknown => (error instanceof LimitMissingError ? error.missing : error);
  /** A limit with what the sample of each call names. */
  const FITTING: KeyLimits = {
    'tag:read': ['a/*'],
    'tag:write': ['a/b'],
    'db:read': ['orders'],
    'db:write': ['embedded'],
    'hist:read': ['a/b'],
    'vars:read': ['**'],
    'vars:write': ['shift'],
    'file:read': ['*'],
    'file:write': ['a.txt'],
    'script:execute': ['script/sum', 'channel/orders'],
  };
  const listOf = (name: CallName) => CALLS[name].scope ?? 'targets';
  const scoped = NAMES.filter((name) => isLimitedCall(name) && name !== 'http.request');

  test('are checked for every call that needs a scope', () => {
    expect(scoped).toEqual(NAMES.filter((name) => CALLS[name].scope !== null));
  });

  test.each(scoped)('%s passes within them, and is refused outside them', async (name) => {
    const scope = listOf(name);
    expect(await call(door, contextOf(limited(FITTING)), name, SAMPLE[name])).toBe(name);
    const told = await call(door, contextOf(limited({ ...FITTING, [scope]: ['other'] })), name, SAMPLE[name]).catch(
      outside,
    );
    expect(told).toMatchObject({ scope, entries: ['other'] });
  });

  test.each(scoped)('%s is refused by an empty list, also on behalf of the key and with its own list', async (name) => {
    const key = limited({ [listOf(name)]: [] });
    const all = scopeMask(SCOPES);
    const onKey = onBehalf(key, grantsPrincipal(all));
    for (const principal of [key, narrowed(key, all), onKey, narrowed(onKey, all)])
      expect(await call(door, contextOf(principal), name, SAMPLE[name]).catch(refusal)).toBe('limit_missing');
  });

  test.each([
    ['tags.readMany', { paths: ['a/b', 'a/**'] }, 'a/**'],
    ['tags.readMany', { paths: ['**'] }, '**'],
    [
      'tags.writeMany',
      {
        writes: [
          { path: 'a/b', value: 1 },
          { path: 'c', value: 1 },
        ],
      },
      'c',
    ],
    ['historian.query', { tags: ['a/*'], from: 'now-1h' }, 'a/*'],
    ['vars.list', { prefix: 'sh' }, 'sh*'],
    ['files.list', { folder: 'reports' }, 'reports/*'],
    ['files.read', { path: 'reports/../a.txt' }, 'reports/../a.txt'],
  ])('%s %j is refused completely for %s', async (name, args, thing) => {
    const key = limited({ ...FITTING, 'vars:read': ['shift/**'] });
    expect(await call(door, contextOf(key), name, args).catch(outside)).toMatchObject({ thing });
  });

  test('take effect for the next call of a run when they change', async () => {
    const key = limited({});
    const access = new CapabilityAccess(door, contextOf(onBehalf(key, grantsPrincipal(scopeMask(SCOPES)))));
    expect(await access.call('tags.write', { path: 'a', value: 1 })).toBe('tags.write');
    key.limits = heldLimits({ 'tag:write': ['b'] }).limits;
    await expect(access.call('tags.write', { path: 'a', value: 1 })).rejects.toMatchObject({ code: 'limit_missing' });
  });

  test.each([undefined, null, { 'tag:delete': [] }, { 'tag:write': 7 }])(
    'that the gateway cannot read (%j) allow nothing',
    async (sent) => {
      const { limits, addresses } = heldLimits(sent as KeyLimits);
      const key: Principal = { scopes: scopeMask(SCOPES), revoked: false, limits, rehearsal: false, things: null };
      for (const name of scoped)
        expect(await call(door, contextOf(key), name, SAMPLE[name]).catch(refusal)).toBe('limit_missing');
      expect(addresses?.has('127.0.0.1')).toBe(false);
    },
  );
});
