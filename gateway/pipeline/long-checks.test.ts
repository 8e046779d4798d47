import { afterEach, expect, test } from 'vitest';
import { definition, dispatch, type Harness, ingress, makeHarness, response } from './harness.ts';

let harness: Harness;
afterEach(() => harness.runtime.close());

const pattern = '(a|b)*a(a|b){20}$';
const long = Array.from({ length: 30_000 }, (_, n) => ({ n, name: `part ${n}` }));

test.each([
  ['a schema check of a long list', 'validate', { schema: { items: { required: ['n'] }, uniqueItems: true } }, long],
  ['a costly pattern of a schema', 'validate', { schema: { pattern } }, 'a'.repeat(20_000)],
  [
    'a costly pattern of a switch',
    'switch',
    { path: 'payload.body', cases: [{ port: 'out', operator: 'matches', value: pattern }] },
    'a'.repeat(20_000),
  ],
])('the event loop turns during %s', async (_what, kind, settings, body) => {
  harness = makeHarness();
  const nodes = [ingress(), { id: 'check', kind, settings }, response({ body: 'fits' })];
  const pipeline = await harness.compile(definition(nodes, ['in → check.out → reply']));
  let turns = 0;
  let over = false;
  const turn = () => ((turns += 1), !over && setImmediate(turn));
  setImmediate(turn);
  const { told } = dispatch(pipeline, { body });
  expect(await told).toMatchObject({ kind: 'reply', reply: { body: 'fits' } });
  over = true;
  expect(turns).toBeGreaterThan(2);
});
