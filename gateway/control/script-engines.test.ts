import { expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { scriptEngines } from './script-engines.ts';

/** The engines in the check of a draft (docs/spec/pipelines.md#check). */
function definition(...codes: unknown[]) {
  const middle = codes.map((code) => ({ kind: 'transform', settings: { code } }));
  return pipelineDefinition.parse(routePipeline({ id: 'orders', path: '/orders', middle }));
}

const engines = (...codes: unknown[]) =>
  scriptEngines(definition(...codes), 'native').map(({ engine, reason, line }) => [engine, reason, line]);

test('each script has its engine, with the reason and the line of the first part that needs the sandbox', () => {
  expect(
    engines(
      'export default (msg) => msg.payload',
      'export default (msg) => {\n  return /^a/.test(msg.payload);\n}',
      `export default (msg) => "${'x'.repeat(20_000)}"`,
      'const n = {}.a.b;\nexport default (msg) => n',
    ),
  ).toEqual([
    ['native', null, null],
    ['sandbox', 'regular_expression', 2],
    ['sandbox', 'size', null],
    ['sandbox', 'statement', null],
  ]);
});

test('a script that cannot be parsed, and a node without code or that is switched off, have none', () => {
  expect(engines('export default (msg =>', 7, '')).toEqual([]);
  const off = definition('export default (msg) => msg.payload');
  for (const node of off.nodes) node.off = true;
  expect(scriptEngines(off, 'native')).toEqual([]);
});

test('with the setting, all scripts run in the sandbox', () => {
  const [found] = scriptEngines(definition('export default (msg) => msg.payload'), 'sandbox');
  expect(found).toMatchObject({ engine: 'sandbox', reason: 'setting', line: null });
});

test('a check compiles a limited amount of code', () => {
  const code = 'export default (msg) => msg.payload';
  const found = scriptEngines(definition(...Array.from({ length: 200 }, () => code)), 'native');
  expect(found).toHaveLength(128);
});
