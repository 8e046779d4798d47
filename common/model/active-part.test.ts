import { expect, test } from 'vitest';
import { activePart } from './active-part.ts';
import { pipelineDefinition } from './pipeline.ts';
import { wireOf } from './wire-text.ts';

function chain(nodes: string[], wires: string[], off: string[] = []) {
  return pipelineDefinition.parse({
    id: 'p',
    name: 'P',
    nodes: nodes.map((id) => ({ id, kind: 'log', ...(off.includes(id) && { off: true }) })),
    wires: wires.map(wireOf),
  });
}

const shape = (definition: ReturnType<typeof chain>) => ({
  nodes: definition.nodes.map(({ id }) => id),
  wires: definition.wires.map(({ from, port, to }) => `${from} ${port} ${to}`),
});

test('without disabled nodes the definition is the same object', () => {
  const whole = chain(['a', 'b'], ['a out b']);
  expect(activePart(whole)).toBe(whole);
});

test('wires bypass a disabled node, and several in a row', () => {
  const part = activePart(chain(['a', 'b', 'c', 'd'], ['a out b', 'b out c', 'b error a', 'c out d'], ['b', 'c']));
  expect(shape(part)).toEqual({ nodes: ['a', 'd'], wires: ['a out d'] });
});

test('an egress node is bypassed through its response output, a switch through otherwise', () => {
  const part = activePart(
    chain(['a', 'e', 's', 'x', 'y'], ['a out e', 'e queued x', 'e response s', 's big x', 's otherwise y'], ['e', 's']),
  );
  expect(shape(part).wires).toEqual(['a out y']);
});

test('two wires that end up the same become one, and a ring of disabled nodes leads nowhere', () => {
  const part = activePart(
    chain(
      ['a', 'b', 'c', 'd', 'e'],
      ['a out b', 'a out c', 'b out c', 'a out d', 'd out e', 'e out d'],
      ['b', 'd', 'e'],
    ),
  );
  expect(shape(part).wires).toEqual(['a out c']);
});

test('a disabled node at the start of a path removes its wires too', () => {
  expect(shape(activePart(chain(['in', 'out'], ['in out out'], ['in'])))).toEqual({ nodes: ['out'], wires: [] });
});
