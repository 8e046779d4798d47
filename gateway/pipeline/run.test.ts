import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defineKind, type Message, NodeError, type NodeInstance, type Run, ScopeMissingError, withPayload } from '#sdk';
import { messageOf } from '#sdk/testing.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { STEPS_PER_RUN_MAX } from './limits.ts';
import { actor, definition, dispatch, type Harness, ingress, makeHarness, NOBODY, response } from './harness.ts';

const harnesses: Harness[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(harnesses.splice(0).map((one) => one.runtime.close()));
});

function harness(acts: Record<string, NodeInstance> = {}, ports?: readonly string[]): Harness {
  const made = makeHarness([actor(acts, ports)]);
  harnesses.push(made);
  return made;
}

const act = (id: string) => ({ id, kind: 'actor', settings: {} });
const pass: NodeInstance = { run: (message) => ({ port: 'out', message }) };

/** Records messages and passes them on. */
function probe(): NodeInstance & { seen: Message[] } {
  const seen: Message[] = [];
  return {
    seen,
    run(message) {
      seen.push(message);
      return { port: 'out', message };
    },
  };
}

/** Responds when the test calls `open`. */
function gate(): NodeInstance & { open(): void; fail(error: unknown): void; runs: Run[] } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const runs: Run[] = [];
  return {
    runs,
    open: resolve,
    fail: reject,
    run(message, run) {
      runs.push(run);
      return promise.then(() => ({ port: 'out', message }));
    },
  };
}

describe('a run of synchronous nodes', () => {
  test('reports its reply before start returns, without a timer', async () => {
    const { compile } = harness();
    const pipeline = await compile(
      definition(
        [
          ingress(),
          { id: 'set', kind: 'set', settings: { assign: [{ path: 'payload.status', value: 201 }] } },
          response(),
        ],
        ['in → set → reply'],
      ),
    );
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { results } = dispatch(pipeline, { body: { ok: true } });
    expect(results).toEqual([
      {
        kind: 'reply',
        reply: expect.objectContaining({ status: 201, body: '{"ok":true}' }),
        undelivered: false,
        rehearsed: null,
      },
    ]);
    expect(timers).not.toHaveBeenCalled();
    expect(pipeline.active).toBe(0);
  });

  test('follows a chain far longer than the stack depth', async () => {
    let left = 9_000;
    const again: NodeInstance = { run: (message) => ({ port: left-- > 0 ? 'again' : 'out', message }) };
    const { compile } = harness({ again }, ['out', 'again']);
    const pipeline = await compile(
      definition([ingress(), act('again'), response()], ['in → again → reply', 'again.again → again']),
    );
    const told = await dispatch(pipeline, {}).told;
    expect(told.kind).toBe('reply');
  });

  test('survives a listener that throws, and logs the error', async () => {
    const { compile, lines } = harness();
    const pipeline = await compile(definition([ingress(), response()], ['in → reply']));
    pipeline.entries[0]?.start({ payload: {}, request: null, caller: null }, NOBODY, {
      done() {
        throw new Error('the socket is gone');
      },
    });
    expect(pipeline.active).toBe(0);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('the socket is gone') }),
    );
  });
});

test('passes the trace of its caller to every node, and a test has none', async () => {
  const traces: (string | null)[] = [];
  const note: NodeInstance = {
    run(message, { traceparent }) {
      traces.push(traceparent);
      return { port: 'out', message };
    },
  };
  const { compile } = harness({ a: note, b: note });
  const pipeline = await compile(definition([ingress(), act('a'), act('b'), response()], ['in → a → b → reply']));
  const done = () => undefined;
  pipeline.entries[0]?.start(messageOf({}), NOBODY, { done, traceparent: '00-trace-parent-01' });
  pipeline.entries[0]?.start(messageOf({}), NOBODY, { done });
  pipeline.startTest('in', messageOf({}), NOBODY);
  expect(traces).toEqual(['00-trace-parent-01', '00-trace-parent-01', null, null, null, null]);
});

describe('fan-out', () => {
  test('gives each wire its own payload, bytes included, and shares no mutable data', async () => {
    const [a, b] = [probe(), probe()];
    const { compile } = harness({ a, b });
    const pipeline = await compile(
      definition([ingress(), act('a'), act('b'), response()], ['in → a', 'in → b → reply']),
    );
    const payload = {
      body: { list: [{ n: 1 }], bytes: new Uint8Array([1, 2]), none: null },
      query: Object.assign(Object.create(null), { line: '7' }),
    };
    dispatch(pipeline, payload);
    const [first, second] = [a.seen[0]?.payload, b.seen[0]?.payload] as {
      body: { list: object[]; bytes: Uint8Array };
      query: object;
    }[];
    expect(first).toBe(payload);
    expect(second).toEqual(payload);
    expect(second?.body).not.toBe(first?.body);
    expect(second?.body.list[0]).not.toBe(first?.body.list[0]);
    expect(second?.body.bytes.buffer).not.toBe(first?.body.bytes.buffer);
    expect(Object.getPrototypeOf(second?.query)).toBe(null);
  });

  test('keeps an own property named __proto__ as a plain property in the copy', async () => {
    const [a, b] = [probe(), probe()];
    const { compile } = harness({ a, b });
    const pipeline = await compile(definition([ingress(), act('a'), act('b')], ['in → a', 'in → b']));
    dispatch(pipeline, JSON.parse('{"__proto__": {"admin": true}}'));
    const copy = b.seen[0]?.payload as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect('admin' in copy).toBe(false);
  });

  test('follows the top wire to its end before the next one', async () => {
    const order: string[] = [];
    const note = (id: string): NodeInstance => ({
      run(message) {
        order.push(id);
        return { port: 'out', message };
      },
    });
    const { compile } = harness({ a: note('a'), a2: note('a2'), b: note('b'), b2: note('b2'), c: note('c') });
    const nodes = [ingress(), act('b'), act('b2'), act('a'), act('a2'), act('c')];
    dispatch(await compile(definition(nodes, ['in → a → a2', 'in → b → b2', 'in → c'])), {});
    expect(order).toEqual(['a', 'a2', 'b', 'b2', 'c']);
  });

  test('fails the run when the copies would not fit into memory', async () => {
    const { compile } = harness({ a: pass, b: pass, c: pass });
    const wires = ['in → a', ...['b', 'c', 'reply'].flatMap((to) => [`in → ${to}`, `a → ${to}`])];
    const pipeline = await compile(definition([ingress(), act('a'), act('b'), act('c'), response()], wires));
    const told = await dispatch(pipeline, { body: new Uint8Array(64 * 1024 * 1024) }).told;
    expect(told).toMatchObject({
      kind: 'failed',
      code: 'pipeline_failed',
      cause: expect.stringContaining('copied more than a run may hold'),
    });
  });
});

describe('a node that fails', () => {
  const failing = (error: unknown): NodeInstance => ({
    run() {
      throw error;
    },
  });

  test('leaves through its error port with the unchanged message and the error', async () => {
    const caught = probe();
    const { compile } = harness({ bad: failing(new NodeError('query_unknown', 'there is no line 9')), caught });
    const pipeline = await compile(
      definition(
        [ingress(), act('bad'), act('caught'), response()],
        ['in → bad → reply', 'bad.error → caught → reply'],
      ),
    );
    const payload = { body: 1 };
    const told = await dispatch(pipeline, payload).told;
    expect(told.kind).toBe('reply');
    expect(caught.seen[0]?.payload).toBe(payload);
    expect(caught.seen[0]?.error).toEqual({ node: 'bad', code: 'query_unknown', message: 'there is no line 9' });
  });

  test('reports a cause without the credentials of the request, which the journal would keep', async () => {
    const { compile, lines } = harness({
      bad: {
        run: () => {
          throw new Error(`${'.'.repeat(990)}refused Bearer abcdefgh`);
        },
      },
    });
    const pipeline = await compile(definition([ingress(), act('bad')], ['in → bad']));
    const told = await dispatch(pipeline, { headers: { authorization: 'refused Bearer abcdefgh' } }).told;
    expect(told).toMatchObject({ kind: 'failed', cause: `${'.'.repeat(990)}(masked)` });
    expect(JSON.stringify(lines)).not.toContain('Bearer');
  });

  test('keeps the error on the message while later nodes change the payload', () => {
    const error = { node: 'a', code: 'x', message: 'y' };
    expect(withPayload({ payload: 1, request: null, caller: null, error }, 2)).toEqual({
      payload: 2,
      request: null,
      caller: null,
      error,
    });
  });

  test('fails the run at once when its error port is not wired', async () => {
    const { compile } = harness({ bad: failing(new Error('boom')) });
    const pipeline = await compile(definition([ingress(), act('bad'), response()], ['in → bad → reply']));
    const { results } = dispatch(pipeline, {});
    expect(results).toEqual([
      {
        kind: 'failed',
        code: 'pipeline_failed',
        cause: 'boom',
        nodeCode: 'node_failed',
        node: 'bad',
        missing: [],
        limit: null,
        refusedWrite: null,
      },
    ]);
  });

  test('may throw anything', async () => {
    const { compile } = harness({ bad: failing('just a text') });
    const pipeline = await compile(definition([ingress(), act('bad')], ['in → bad']));
    expect(await dispatch(pipeline, {}).told).toMatchObject({
      kind: 'failed',
      cause: expect.stringMatching(/not an error/),
    });
  });

  test('fails the run in the same way when it fails later', async () => {
    const bad = gate();
    const { compile } = harness({ bad });
    const pipeline = await compile(definition([ingress(), act('bad')], ['in → bad']));
    const { results, told } = dispatch(pipeline, {});
    expect(results).toEqual([]);
    bad.fail(new NodeError('delay_full', 'too late'));
    expect(await told).toMatchObject({ kind: 'failed', cause: 'too late', node: 'bad' });
    expect(pipeline.active).toBe(0);
  });

  test('that lacks scopes makes the run fail with scope_missing and their names', async () => {
    const { compile } = harness({ bad: failing(new ScopeMissingError(['db:read', 'tag:write'])) });
    const pipeline = await compile(definition([ingress(), act('bad')], ['in → bad']));
    expect(await dispatch(pipeline, {}).told).toMatchObject({
      kind: 'failed',
      code: 'scope_missing',
      missing: ['db:read', 'tag:write'],
      node: 'bad',
    });
  });

  test('cancels the paths that still wait', async () => {
    const [waits, fails] = [gate(), gate()];
    const { compile } = harness({ waits, fails });
    const pipeline = await compile(definition([ingress(), act('waits'), act('fails')], ['in → waits', 'in → fails']));
    const { results, told } = dispatch(pipeline, {});
    const signal = waits.runs[0]?.signal;
    fails.fail(new Error('boom'));
    await told;
    expect(signal?.aborted).toBe(true);
    waits.open();
    await Promise.resolve();
    expect(results).toHaveLength(1);
  });

  test('after the reply does not change the reply, and is logged', async () => {
    const late = gate();
    const { compile, lines, runtime } = harness({ late });
    const pipeline = await compile(definition([ingress(), response(), act('late')], ['in → reply', 'in → late']));
    const { results } = dispatch(pipeline, {});
    expect(results.map((result) => result.kind)).toEqual(['reply']);
    late.fail(new Error('boom'));
    await vi.waitFor(() => expect(pipeline.active).toBe(0), PATIENT_WAIT);
    expect(results).toHaveLength(1);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'the run failed after its reply: boom' }),
    );
    expect(runtime.runs('p', 'test')[0]).toMatchObject({
      outcome: 'replied',
      error: { node: 'late', message: 'boom' },
    });
  });

  test('by using an unknown port fails the run', async () => {
    const { compile } = harness({ bad: { run: (message) => ({ port: 'side', message }) } });
    const pipeline = await compile(definition([ingress(), act('bad')], ['in → bad']));
    expect(await dispatch(pipeline, {}).told).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining('"side"'),
    });
  });
});

describe('replies', () => {
  test('the first reply is sent, and a second one is dropped with a warning', async () => {
    const { compile, lines } = harness();
    const nodes = [ingress(), response({ status: 201 }, 'first'), response({ status: 202 }, 'second')];
    const { results } = dispatch(await compile(definition(nodes, ['in → first', 'in → second'])), {});
    expect(results).toEqual([
      { kind: 'reply', reply: expect.objectContaining({ status: 201 }), undelivered: false, rehearsed: null },
    ]);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringContaining('second reply'),
        fields: expect.objectContaining({ node: 'second' }),
      }),
    ]);
  });

  test('a reply is sent at once although other paths continue', async () => {
    const waits = gate();
    const { compile } = harness({ waits });
    const pipeline = await compile(definition([ingress(), act('waits'), response()], ['in → waits', 'in → reply']));
    const { results } = dispatch(pipeline, {});
    expect(results.map((result) => result.kind)).toEqual(['reply']);
    expect(pipeline.active).toBe(1);
    waits.open();
    await vi.waitFor(() => expect(pipeline.active).toBe(0), PATIENT_WAIT);
  });

  test('a node may reply first and finish later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: NodeInstance = {
      async run(_message, run) {
        await Promise.resolve();
        run.reply({ status: 204, contentType: null, headers: {}, body: null, errorWith200: false });
        await promise;
        return undefined;
      },
    };
    const { compile } = harness({ slow });
    const pipeline = await compile(definition([ingress(), act('slow')], ['in → slow']));
    expect(await dispatch(pipeline, {}).told).toMatchObject({ kind: 'reply' });
    expect(pipeline.active).toBe(1);
    resolve();
    await vi.waitFor(() => expect(pipeline.active).toBe(0), PATIENT_WAIT);
  });
});

describe('a 200 with an error in the body', () => {
  const nodes = [ingress(), response({ status: 200, body: { error: 'no stock' } }, 'bad'), response({}, 'late')];

  test('is counted for the node that sent it, but not if it was the second reply', async () => {
    const pipeline = await harness({}).compile(definition(nodes, ['in → bad', 'in → late']));
    await dispatch(pipeline, {}).told;
    await dispatch(pipeline, {}).told;
    expect(pipeline.errorsWith200()).toEqual([{ node: 'bad', count: 2 }]);
    const other = await harness({}).compile(definition(nodes, ['in → late', 'in → bad']));
    await dispatch(other, { body: 'fine' }).told;
    expect(other.errorsWith200()).toEqual([]);
  });

  test('is not counted when no caller waited for it', async () => {
    const pipeline = await harness({}).compile(definition(nodes, ['in → bad']));
    pipeline.startTest('in', messageOf({}), NOBODY);
    await vi.waitFor(() => expect(pipeline.active).toBe(0), PATIENT_WAIT);
    expect(pipeline.errorsWith200()).toEqual([]);
  });
});

describe('a run without a reply', () => {
  test('that has ended waits for the timeout of its route and names no node', async () => {
    vi.useFakeTimers();
    const { compile } = harness({ a: pass });
    const pipeline = await compile(definition([ingress({ timeout: 2 }), act('a')], ['in → a']));
    const { results } = dispatch(pipeline, {});
    vi.advanceTimersByTime(1_990);
    expect(results).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(results).toEqual([{ kind: 'timeout', node: null }]);
    expect(pipeline.active).toBe(0);
  });

  test('that stalls is cancelled at the timeout, names the node, and drops later results', async () => {
    vi.useFakeTimers();
    const stuck = gate();
    const { compile, runtime } = harness({ stuck });
    const pipeline = await compile(
      definition([ingress({ timeout: 0.1 }), act('stuck'), response()], ['in → stuck → reply']),
    );
    const { results } = dispatch(pipeline, {});
    const run = stuck.runs[0];
    expect(run?.remainingMs()).toBeGreaterThan(90);
    const signal = run?.signal;
    vi.advanceTimersByTime(110);
    expect(results).toEqual([{ kind: 'timeout', node: 'stuck' }]);
    expect(signal?.aborted).toBe(true);
    expect(run?.remainingMs()).toBe(0);
    stuck.open();
    run?.reply({ status: 200, contentType: null, headers: {}, body: 'late', errorWith200: false });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(results).toHaveLength(1);
    expect(runtime.runs('p', 'test')).toMatchObject([{ outcome: 'timeout', status: 504 }]);
  });

  test('is not affected by a node that fails after the timeout', async () => {
    vi.useFakeTimers();
    const stuck = gate();
    const { compile, runtime } = harness({ stuck });
    const pipeline = await compile(definition([ingress({ timeout: 0.1 }), act('stuck')], ['in → stuck']));
    const { results } = dispatch(pipeline, {});
    vi.advanceTimersByTime(110);
    stuck.fail(new Error('too late'));
    await vi.advanceTimersByTimeAsync(10);
    expect(results).toEqual([{ kind: 'timeout', node: 'stuck' }]);
    expect(pipeline.active).toBe(0);
    expect(runtime.runs('p', 'test')).toMatchObject([{ outcome: 'timeout', error: null }]);
  });

  test('leaves no timer behind if it waited and replied in time', async () => {
    vi.useFakeTimers();
    const { compile } = harness();
    const wait = { id: 'wait', kind: 'delay', settings: { seconds: 1 } };
    const { results } = dispatch(await compile(definition([ingress(), wait, response()], ['in → wait → reply'])), {});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(results.map((result) => result.kind)).toEqual(['reply']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends a delay at the timeout, and leaves neither timer nor listener behind', async () => {
    vi.useFakeTimers();
    const { compile } = harness();
    const pipeline = await compile(
      definition(
        [ingress({ timeout: 1 }), { id: 'wait', kind: 'delay', settings: { seconds: 3600 } }, response()],
        ['in → wait → reply'],
      ),
    );
    const { results } = dispatch(pipeline, {});
    expect(vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(1_010);
    expect(results).toEqual([{ kind: 'timeout', node: 'wait' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('cancels paths that continue after a reply at the timeout too', async () => {
    vi.useFakeTimers();
    const stuck = gate();
    const { compile, lines } = harness({ stuck });
    const pipeline = await compile(
      definition([ingress({ timeout: 1 }), response(), act('stuck')], ['in → reply', 'in → stuck']),
    );
    const { results } = dispatch(pipeline, {});
    const signal = stuck.runs[0]?.signal;
    vi.advanceTimersByTime(1_010);
    expect(signal?.aborted).toBe(true);
    expect(results.map((result) => result.kind)).toEqual(['reply']);
    expect(pipeline.active).toBe(0);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('continued after its reply') }),
    );
  });

  test('aborts its signal only if it was cut short', async () => {
    const signals: AbortSignal[] = [];
    const keeps: NodeInstance = {
      run(message, run) {
        signals.push(run.signal);
        return { port: 'out', message };
      },
    };
    const { compile } = harness({ keeps });
    dispatch(await compile(definition([ingress(), act('keeps'), response()], ['in → keeps → reply'])), {});
    expect(signals[0]?.aborted).toBe(false);
    expect(getEventListeners(signals[0] ?? new EventTarget(), 'abort')).toEqual([]);
  });
});

describe('a cycle of wires', () => {
  test('ends after a limited number of steps, which is the cause', async () => {
    const { compile, runtime } = harness({ a: pass, b: pass });
    const pipeline = await compile(definition([ingress(), act('a'), act('b')], ['in → a → b → a']));
    const told = await dispatch(pipeline, {}).told;
    expect(told).toMatchObject({
      kind: 'failed',
      code: 'pipeline_failed',
      cause: expect.stringContaining(`more than ${STEPS_PER_RUN_MAX} steps`),
    });
    expect(runtime.runs('p', 'test')[0]?.steps.length).toBe(500);
  });

  test('lets the event loop turn while it runs', async () => {
    let turns = 0;
    const slow: NodeInstance = {
      run(message) {
        const until = performance.now() + 0.5;
        while (performance.now() < until);
        return { port: 'out', message };
      },
    };
    const { compile } = harness({ slow });
    const pipeline = await compile(definition([ingress({ timeout: 0.3 }), act('slow')], ['in → slow → slow']));
    const { told } = dispatch(pipeline, {});
    const turn = (): void => {
      turns++;
      if (pipeline.active > 0) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await told).toMatchObject({ kind: 'timeout' });
    expect(turns).toBeGreaterThan(0);
  });

  test('with fan-out cannot fill the memory', async () => {
    const { compile } = harness({ a: pass });
    const pipeline = await compile(definition([ingress(), act('a')], ['in → a', 'a → a', 'a → a', 'a → a']));
    expect(await dispatch(pipeline, {}).told).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining('steps'),
    });
  });
});

describe('retiring a pipeline', () => {
  /** A run that waits in its only node. */
  async function waiting() {
    const waits = gate();
    const { compile } = harness({ waits });
    const pipeline = await compile(definition([ingress(), act('waits')], ['in → waits']));
    const { results } = dispatch(pipeline, {});
    return { waits, pipeline, results };
  }

  const closing = (node: NodeInstance): NodeInstance & { closed: number } => {
    const made = { ...node, closed: 0, close: () => void made.closed++ };
    return made;
  };

  test('softly waits for active runs, then closes each node once', async () => {
    const waits = gate();
    const node = closing(waits);
    const { compile } = harness({ node });
    const pipeline = await compile(definition([ingress(), act('node'), response()], ['in → node → reply']));
    const { told } = dispatch(pipeline, {});
    let retired = false;
    const ended = pipeline.retire({ hard: false }).then(() => (retired = true));
    await new Promise(setImmediate);
    expect([retired, node.closed]).toEqual([false, 0]);
    waits.open();
    expect(await told).toMatchObject({ kind: 'reply' });
    await ended;
    await pipeline.retire({ hard: true });
    expect(node.closed).toBe(1);
  });

  test('hard cancels active runs and notifies their callers', async () => {
    const { waits, pipeline, results } = await waiting();
    const signal = waits.runs[0]?.signal;
    await pipeline.retire({ hard: true });
    expect(results).toEqual([{ kind: 'cancelled' }]);
    expect(signal?.aborted).toBe(true);
    expect(pipeline.active).toBe(0);
  });

  test('hard after soft cancels the runs that the soft one waits for', async () => {
    const { pipeline, results } = await waiting();
    const soft = pipeline.retire({ hard: false });
    await pipeline.retire({ hard: true });
    await soft;
    expect(results).toEqual([{ kind: 'cancelled' }]);
  });

  test('refuses messages from then on', async () => {
    const { compile } = harness();
    const pipeline = await compile(definition([ingress(), response()], ['in → reply']));
    await pipeline.retire({ hard: false });
    expect(dispatch(pipeline, {}).results).toEqual([{ kind: 'cancelled' }]);
  });

  test('continues although a node does not close properly', async () => {
    const good = closing(pass);
    const bad: NodeInstance = { ...pass, close: () => Promise.reject(new Error('stuck')) };
    const { compile, lines } = harness({ bad, good });
    const pipeline = await compile(definition([ingress(), act('bad'), act('good')], ['in → bad → good']));
    await pipeline.retire({ hard: false });
    expect(good.closed).toBe(1);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('"bad" did not close') }),
    );
  });

  test('a start lets the event loop turn while nodes are made', async () => {
    let turns = 0;
    const slow = defineKind({
      ...actor({}),
      id: 'slow',
      create() {
        const until = performance.now() + 15;
        while (performance.now() < until);
        return pass;
      },
    });
    const made = makeHarness([slow]);
    harnesses.push(made);
    const nodes = Array.from({ length: 5 }, (_, i) => ({ id: `n${i}`, kind: 'slow', settings: {} }));
    const compiled = made.compile(definition([ingress(), ...nodes], ['in → n0 → n1 → n2 → n3 → n4']));
    let going = true;
    const turn = (): void => {
      turns++;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    await compiled;
    going = false;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test('a start that fails closes the nodes created before', async () => {
    const good = closing(pass);
    const { compile } = harness({ good });
    await expect(
      compile(definition([ingress(), act('good'), act('unmade')], ['in → good → unmade'])),
    ).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: 'nodes.2.settings', message: 'node "unmade": the test has no act for unmade' }],
    });
    expect(good.closed).toBe(1);
  });
});

describe('log lines', () => {
  test('are masked: API keys, and the values of credential headers', async () => {
    const { compile, lines } = harness();
    const template = '{{payload.headers.authorization}} {{payload.body}} {{payload.headers}}';
    const pipeline = await compile(
      definition(
        [ingress(), { id: 'log', kind: 'log', settings: { message: template } }, response()],
        ['in → log → reply'],
      ),
    );
    dispatch(pipeline, {
      body: `key slc_0123456789ab_${'x'.repeat(49)}`,
      headers: { authorization: 'Basic "c2VjcmV0"', 'x-trace': 't1' },
    });
    expect(lines[0]?.message).not.toMatch(/c2VjcmV0|xxxx/);
    expect(lines[0]?.message).toContain('slc_0123456789ab_…');
    expect(lines[0]?.message).toContain('t1');
  });

  test('are limited per second, and omitted ones are counted', async () => {
    vi.useFakeTimers();
    const { compile, lines } = harness();
    const pipeline = await compile(
      definition(
        [ingress(), { id: 'log', kind: 'log', settings: { message: 'hello' } }, response()],
        ['in → log → reply'],
      ),
    );
    for (let i = 0; i < 250; i++) dispatch(pipeline, {});
    expect(lines).toHaveLength(200);
    vi.advanceTimersByTime(1_001);
    dispatch(pipeline, {});
    expect(lines.slice(200).map((line) => line.message)).toEqual([
      '50 log lines of this pipeline were left out',
      'hello',
    ]);
  });
});
