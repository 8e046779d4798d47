import { describe, expect, test } from 'vitest';
import type { NodeTraffic } from '#common/model/traffic.ts';
import { actor, definition, dispatch, ingress, makeHarness, response } from './harness.ts';
import { NodeCounters, WINDOW_SECONDS } from './node-counters.ts';

const SECOND = 1000;

describe('the counters of a node', () => {
  test('are the mean of the last 10 whole seconds, without the current one', () => {
    const counters = new NodeCounters(['out', 'error'], 0);
    for (let second = 100; second < 110; second++) {
      for (let n = 0; n < 4; n++) {
        counters.entered(second * SECOND + n);
        counters.left(second * SECOND + n, n === 3 ? 80 : 2);
        counters.emitted(n === 3 ? 1 : 0);
        if (n === 3) counters.broke();
      }
    }
    counters.entered(110 * SECOND);
    const read = counters.read(110 * SECOND + 1);
    expect(read).toMatchObject({ perSecond: 4, errorShare: 0.25, ports: { out: 3, error: 1 } });
    expect(Math.abs((read.p99Ms ?? 0) - 80)).toBeLessThan(4);
    expect(counters.read(114 * SECOND).perSecond).toBe(2.5);
    expect(counters.read((111 + WINDOW_SECONDS) * SECOND)).toEqual({
      perSecond: 0,
      p99Ms: null,
      errorShare: 0,
      ports: { out: 0, error: 0 },
    });
  });

  test('of a node that just started are averaged over the seconds since then', () => {
    const counters = new NodeCounters(['out'], 50 * SECOND);
    for (let n = 0; n < 6; n++) counters.entered(50 * SECOND + 900);
    expect(counters.read(52 * SECOND).perSecond).toBe(3);
  });
});

describe('a pipeline reports its nodes', () => {
  const { runtime, compile } = makeHarness([
    actor({
      odd: {
        run: (input) => (input.payload === 'bad' ? Promise.reject(new Error('no')) : { port: 'out', message: input }),
      },
      never: { run: () => new Promise(() => {}) },
    }),
  ]);

  async function afterASecond(read: () => NodeTraffic[]): Promise<Map<string, NodeTraffic>> {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    return new Map(read().map((node) => [node.node, node]));
  }

  test('with messages, errors and ports, also for an unwired error and a timeout', async () => {
    const pipeline = await compile(
      definition(
        [ingress({ timeout: 0.2 }), { id: 'odd', kind: 'actor' }, { id: 'never', kind: 'actor' }, response()],
        ['in → odd → reply', 'odd.error → never → reply'],
      ),
    );
    await dispatch(pipeline, 'good').told;
    await dispatch(pipeline, 'bad').told;
    const nodes = await afterASecond(() => pipeline.traffic());
    expect([...nodes.keys()]).toEqual(['in', 'odd', 'never', 'reply']);
    const odd = nodes.get('odd');
    expect(odd?.perSecond).toBeGreaterThan(0);
    expect(odd).toMatchObject({ errorShare: 0.5, ports: { out: (odd?.perSecond ?? 0) / 2 } });
    expect(odd?.ports['error']).toBe((odd?.perSecond ?? 0) / 2);
    expect(nodes.get('never')).toMatchObject({ errorShare: 1 });
    expect(nodes.get('never')?.p99Ms).toBeGreaterThan(150);
    await runtime.close();
  });
});
