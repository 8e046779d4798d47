import { afterEach, describe, expect, test } from 'vitest';
import type { NodeInstance } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import { until } from '#test/until.ts';
import {
  actor,
  definition,
  dispatch,
  type Harness,
  ingress,
  makeHarness,
  message,
  NOBODY,
  response,
} from './harness.ts';
import { RunHistory } from './history.ts';
import {
  PIPELINE_SUCCESSES_KEPT_PER_SECOND,
  RUN_BYTES_MAX,
  RUNS_PER_PIPELINE_MAX,
  SUCCESSES_KEPT_PER_SECOND,
} from './limits.ts';
import { NodeCounters } from './node-counters.ts';
import { unwatchedRuns } from './run-watch/run-watch.ts';
import { PipelineRun } from './run.ts';
import { addedBytes } from './size.ts';

const harnesses: Harness[] = [];
afterEach(() => Promise.all(harnesses.splice(0).map((one) => one.runtime.close())));

function harness(acts: Record<string, NodeInstance> = {}): Harness {
  const made = makeHarness([actor(acts)]);
  harnesses.push(made);
  return made;
}

const set = { id: 'set', kind: 'set', settings: { assign: [{ path: 'payload.status', value: 201 }] } };
const straight = definition([ingress(), set, response()], ['in → set → reply']);

/** A finished run with a payload, without a graph. */
function endedRun(payload: unknown): PipelineRun {
  const owner = {
    log: () => undefined,
    capabilities: () => testCapabilities(),
    hasTurn: () => true,
    spent: () => undefined,
    inLaterTurn: () => undefined,
    nextTurn: () => Promise.resolve(),
    matches: () => Promise.reject(new Error('this test makes no matches')),
    held: () => undefined,
    ended: () => undefined,
    nameOf: () => 'run',
  };
  const run = new PipelineRun({
    owner,
    message: message(payload),
    rights: NOBODY,
    timeoutMs: 1000,
    traceparent: null,
    test: true,
    attended: false,
    hops: 0,
    origin: {},
    ended: null,
    done: () => undefined,
  });
  run.start({
    id: 'in',
    kind: 'rest-api',
    instance: { run: (made) => ({ port: 'out', message: made }) },
    outs: new Map([['out', { targets: [], index: 0 }]]),
    traffic: new NodeCounters(['out']),
    mark: unwatchedRuns().mark({ project: 'p', pipeline: 'p', node: 'in', test: true }),
  });
  return run;
}

describe('a run in the ring', () => {
  test('has the input, output, port and time of every node', async () => {
    const { compile, runtime } = harness();
    const pipeline = await compile(straight);
    pipeline.entries[0]?.start(
      {
        payload: { body: { id: 7 } },
        request: { id: 'req1', method: 'POST', path: '/a', route: '/a', ip: '1.2.3.4', receivedAt: '' },
        caller: null,
      },
      NOBODY,
      { done: () => undefined },
    );
    const [run] = runtime.runs('p', 'test');
    expect(run).toMatchObject({
      requestId: 'req1',
      pipeline: 'test',
      revision: 1,
      outcome: 'replied',
      status: 201,
      error: null,
      test: false,
      payloadsOmitted: false,
    });
    expect(run?.steps).toMatchObject([
      {
        node: 'in',
        kind: 'rest-api',
        port: 'out',
        input: { payload: { body: { id: 7 } } },
        output: { payload: { body: { id: 7 } } },
      },
      { node: 'set', kind: 'set', port: 'out', output: { payload: { body: { id: 7 }, status: 201 } } },
      { node: 'reply', kind: 'http-response', port: null, output: null },
    ]);
    for (const step of run?.steps ?? []) expect(step.durationUs).toBeGreaterThanOrEqual(0);
    expect(new Date(run?.startedAt ?? '').getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('can be read by its ID, only from its own pipeline', async () => {
    const { compile, runtime } = harness();
    dispatch(await compile(straight), {});
    const id = runtime.runs('p', 'test')[0]?.id ?? '';
    expect(runtime.run('p', 'test', id)).toMatchObject({ id });
    expect(runtime.run('p', 'other', id)).toBe(null);
    expect(runtime.run('other', 'test', id)).toBe(null);
    expect(runtime.run('p', 'test', 'r0-0')).toBe(null);
    expect(runtime.runs('p', 'other')).toEqual([]);
  });

  test('that failed names the node and the error, also in the step', async () => {
    const { compile, runtime } = harness({ bad: { run: () => Promise.reject(new Error('boom')) } });
    await dispatch(await compile(definition([ingress(), { id: 'bad', kind: 'actor' }], ['in → bad'])), {}).told;
    const [run] = runtime.runs('p', 'test');
    expect(run).toMatchObject({
      outcome: 'failed',
      status: 500,
      error: { node: 'bad', code: 'node_failed', message: 'boom' },
    });
    expect(run?.steps[1]).toMatchObject({
      node: 'bad',
      port: null,
      output: null,
      error: { code: 'node_failed', message: 'boom' },
    });
  });

  test('stays readable after its pipeline has been stopped', async () => {
    const { compile, runtime } = harness();
    const pipeline = await compile(straight);
    dispatch(pipeline, {});
    await pipeline.retire({ hard: true });
    expect(runtime.runs('p', 'test')).toHaveLength(1);
  });
});

const replied = (status: number) =>
  ({
    outcome: 'replied',
    reply: { status, headers: {}, body: null, contentType: null, errorWith200: false },
  }) satisfies Partial<PipelineRun>;

describe('the ring', () => {
  test('keeps the newest runs of a pipeline, newest first', async () => {
    const { compile, runtime } = harness();
    const pipeline = await compile(straight);
    for (let i = 0; i < RUNS_PER_PIPELINE_MAX + 10; i++) dispatch(pipeline, { body: i });
    const bodies = () => runtime.runs('p', 'test').map((run) => run.steps[0]?.input);
    // On a busy machine, some runs end in a later turn.
    await expect.poll(() => bodies()[0]).toEqual({ payload: { body: RUNS_PER_PIPELINE_MAX + 9 } });
    const seen = bodies();
    const newest = Array.from({ length: RUNS_PER_PIPELINE_MAX }, (_, i) => RUNS_PER_PIPELINE_MAX + 9 - i);
    expect(seen).toEqual(newest.map((body) => ({ payload: { body } })));
  });

  test('holds a limited number of bytes over all pipelines, and removes the oldest run first', () => {
    const history = new RunHistory('r', 100_000);
    const [a, b] = [history.ring('p', 'a'), history.ring('p', 'b')];
    const label = { pipeline: 'x', revision: 1 };
    for (let i = 0; i < 3; i++) history.add(a, label, endedRun('x'.repeat(10_000)));
    for (let i = 0; i < 4; i++) history.add(b, label, endedRun('x'.repeat(10_000)));
    expect(history.bytes).toBeLessThanOrEqual(100_000);
    expect([history.list('p', 'a').length, history.list('p', 'b').length]).toEqual([0, 4]);
    history.add(b, label, endedRun(''));
    expect(history.list('p', 'b')).toHaveLength(5);
  });

  test('counts down to zero when everything is removed', () => {
    const history = new RunHistory('r', 3_000);
    const ring = history.ring('p', 'a');
    for (let i = 0; i < 200; i++) history.add(ring, { pipeline: 'x', revision: 1 }, endedRun('x'.repeat(i)));
    history.add(ring, { pipeline: 'x', revision: 1 }, endedRun('x'.repeat(10_000)));
    expect([history.bytes, history.list('p', 'a').length]).toEqual([0, 0]);
  });

  test('counts the bytes of the runs that it holds, not of those that it removed', () => {
    const history = new RunHistory('r');
    const ring = history.ring('p', 'a');
    const bytes: number[] = [];
    for (let i = 0; i < 3 * RUNS_PER_PIPELINE_MAX; i++) {
      history.add(ring, { pipeline: 'x', revision: 1 }, endedRun('x'.repeat(100)));
      bytes.push(history.bytes);
    }
    expect(bytes.at(-1)).toBe(bytes[RUNS_PER_PIPELINE_MAX - 1]);
  });

  test('of a busy gateway keeps some successes, at least one of each pipeline a second, and every failure', () => {
    const history = new RunHistory('r');
    const startMs = performance.now() + 1_000;
    let added = 0;
    const add = (pipeline: string, over: Partial<PipelineRun> = {}) => {
      const run = Object.assign(endedRun(null), { test: false, endedMs: startMs, ...replied(200), ...over });
      history.add(history.ring('p', pipeline), { pipeline: 'x', revision: 1 }, run);
      added += 1;
    };
    const newest = (pipeline: string) => Number(history.list('p', pipeline)[0]?.id.slice('r-'.length));
    const share = PIPELINE_SUCCESSES_KEPT_PER_SECOND + RUNS_PER_PIPELINE_MAX;

    for (let i = 0; i < share; i++) add('busy');
    expect(newest('busy')).toBe(added);
    add('busy');
    expect(newest('busy')).toBe(share);
    for (const over of [{ outcome: 'failed' }, replied(500), { test: true }] as const) {
      add('busy', over);
      expect(newest('busy')).toBe(added);
    }
    while (added < SUCCESSES_KEPT_PER_SECOND + share) add(`other ${added % 3}`);
    add('quiet');
    expect(newest('quiet')).toBe(added);
    add('quiet');
    expect(history.list('p', 'quiet')).toHaveLength(1);
    add('busy', { endedMs: startMs + 1000 / PIPELINE_SUCCESSES_KEPT_PER_SECOND });
    expect(newest('busy')).toBe(added);
  });

  test('with very many pipelines keeps a success of each now and then, and no more in total', () => {
    const history = new RunHistory('r');
    const pipelines = 5 * SUCCESSES_KEPT_PER_SECOND;
    const rings = Array.from({ length: pipelines }, (_, index) => history.ring('p', `${index}`));
    // A whole number: sums and differences of fractions would be rounded.
    const startMs = Math.ceil(performance.now()) + 1_000;
    const addOneOfEach = (atMs: number): number => {
      for (const ring of rings) {
        const run = Object.assign(endedRun(null), { test: false, endedMs: startMs + atMs, ...replied(200) });
        history.add(ring, { pipeline: 'x', revision: 1 }, run);
      }
      return rings.reduce((sum, { slots }) => sum + slots.length, 0);
    };
    let kept = addOneOfEach(0);
    expect(kept).toBe(pipelines);
    for (let second = 1; second < 5; second++) {
      const before = kept;
      kept = addOneOfEach(second * 1000);
      expect(kept - before).toBe(SUCCESSES_KEPT_PER_SECOND);
    }
    addOneOfEach(5_000);
    expect(Math.min(...rings.map(({ slots }) => slots.length))).toBe(2);
  });

  test('keeps a large run without its payloads, and the reply still reaches its caller', async () => {
    const { compile, runtime } = harness();
    const pipeline = await compile(straight);
    const body = 'x'.repeat(RUN_BYTES_MAX);
    const { results } = dispatch(pipeline, { body });
    expect(results[0]).toMatchObject({ kind: 'reply', reply: { body } });
    expect(runtime.runs('p', 'test')[0]).toMatchObject({
      payloadsOmitted: true,
      steps: [{ input: null }, { input: null, output: null }, { input: null }],
    });
  });

  test('measures a list correctly whose large entry comes late', () => {
    const late = [...Array<number>(1_000).fill(0), 'x'.repeat(1_000_000)];
    expect(addedBytes({ body: late }, undefined)).toBeGreaterThan(2_000_000);
    expect(addedBytes(Array<number>(100_000).fill(0), undefined)).toBe(Infinity);
  });

  test('counts data that a node shares with its input once', () => {
    const body = { text: 'x'.repeat(1_000) };
    expect(addedBytes({ body, status: 200 }, { body })).toBeLessThan(100);
  });
});

describe('a run that is read', () => {
  const read = async (payload: unknown, settings: object = {}) => {
    const { compile, runtime } = harness();
    dispatch(await compile(definition([ingress(settings), set, response()], ['in → set → reply'])), payload);
    // A long reply is written in later turns of the event loop.
    return until('the run has ended', () => runtime.runs('p', 'test')[0]);
  };

  test('has credential headers masked, whatever their case and wherever they were copied', async () => {
    const headers = { authorization: 'Bearer abcdefgh', cookie: 'sid=s3cr3t-value', 'x-trace': 't1' };
    const payload = {
      headers,
      body: { copied: 'it was Bearer abcdefgh', nested: { Authorization: 'zzz', 'X-API-Key': 'yyy' } },
    };
    const text = JSON.stringify(await read(payload));
    expect(text).not.toMatch(/abcdefgh|s3cr3t|zzz|yyy/);
    expect(text).toContain('t1');
    expect(payload.headers.authorization).toBe('Bearer abcdefgh');
  });

  test('has text that looks like a key masked, in names too', async () => {
    const key = `slc_0123456789ab_${'k'.repeat(49)}`;
    const text = JSON.stringify(await read({ body: { note: `use ${key}`, [key]: 1, list: [key] } }));
    expect(text).not.toContain('kkk');
    expect(text).toContain('slc_0123456789ab_…');
  });

  test('has a key or credential masked that straddles the cut of a long text', async () => {
    const key = `slc_0123456789ab_${'k'.repeat(49)}`;
    const headers = { authorization: `Bearer ${'k'.repeat(99)}` };
    for (const before of [4_090, 4_000, 8_180]) {
      expect(JSON.stringify(await read({ headers, body: ' '.repeat(before) + headers.authorization }))).not.toContain(
        'kkk',
      );
    }
    for (const before of [4_090, 4_070, 8_180]) {
      expect(JSON.stringify(await read({ body: ' '.repeat(before) + key }))).not.toContain('kkk');
    }
  });

  test('has credentials masked in error texts of runs that were too large to keep', async () => {
    const { compile, runtime } = harness({
      bad: {
        run: () => {
          throw new Error('refused Bearer abcdefgh');
        },
      },
    });
    await dispatch(await compile(definition([ingress(), { id: 'bad', kind: 'actor' }], ['in → bad'])), {
      headers: { authorization: 'Bearer abcdefgh' },
      body: 'x'.repeat(RUN_BYTES_MAX),
    }).told;
    const [run] = runtime.runs('p', 'test');
    expect(run?.payloadsOmitted).toBe(true);
    expect(JSON.stringify(run)).not.toContain('abcdefgh');
  });

  test('shows bytes as their length and first bytes', async () => {
    const run = await read({ body: new Uint8Array(1_000).fill(65) });
    expect(run?.steps[0]?.input).toEqual({
      payload: { body: { bytes: 1_000, base64: Buffer.alloc(48, 65).toString('base64') } },
    });
  });

  test('is limited: long strings, long lists, deep nesting', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 1_000; i++) deep = [deep];
    const run = await read({
      body: { text: 'a'.repeat(100_000), list: Array.from({ length: 5_000 }, () => 'b'.repeat(100)), deep },
    });
    const text = JSON.stringify(run);
    expect(text.length).toBeLessThan(400_000);
    expect(text).toContain('(100000 characters)');
    expect(text).toContain('4800 more');
    expect(text).not.toContain('['.repeat(17));
  });

  test('is limited over a whole list', async () => {
    const { compile, runtime } = harness({ again: { run: (made) => ({ port: 'out', message: made }) } });
    const pipeline = await compile(
      definition([ingress({ timeout: 1 }), { id: 'again', kind: 'actor' }], ['in → again → again']),
    );
    for (let i = 0; i < 10; i++) await dispatch(pipeline, { body: 'a'.repeat(4_000) }).told;
    expect(JSON.stringify(runtime.runs('p', 'test')).length).toBeLessThan(8_000_000);
  });
});
