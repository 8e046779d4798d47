import { expect, test } from 'vitest';
import { KINDS, nodeAt } from './kinds.testing.ts';
import { drawnOuts, portsOf } from './ports.ts';

test('the mode of a node decides its ports, and the first mode is the default', () => {
  expect(portsOf(nodeAt('rest-api', 0, 0), KINDS)).toEqual({ input: false, outs: ['out'], error: false });
  expect(portsOf(nodeAt('rest-api', 0, 0, { mode: 'egress' }), KINDS)).toEqual({
    input: true,
    outs: ['response', 'queued'],
    error: true,
  });
});

test('a call without store-and-forward is never queued', () => {
  const call = nodeAt('rest-api', 0, 0, { mode: 'egress', storeAndForward: false });
  expect(portsOf(call, KINDS).outs).toEqual(['response']);
});

test('each case is a port, without duplicates', () => {
  const node = nodeAt('switch', 0, 0, { cases: [{ port: 'a' }, { port: 'b' }, { port: 'a' }, { port: '' }, null] });
  expect(portsOf(node, KINDS).outs).toEqual(['a', 'b', 'otherwise']);
});

test('a missing kind has the ports that are wired', () => {
  const node = nodeAt('third-party', 0, 0);
  expect(portsOf(node, KINDS)).toEqual({ input: true, outs: [], error: true });
  expect(drawnOuts(node, KINDS, ['made', 'error'])).toEqual(['made']);
});
