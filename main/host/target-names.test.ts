import { expect, test } from 'vitest';
import type { PipelineStart } from '#common/control/messages.ts';
import { targetNames } from './target-names.ts';

const start = (name: string, url: unknown): PipelineStart => ({
  project: 'line',
  revision: 1,
  definition: {
    id: name.toLowerCase(),
    name,
    runAs: 'caller',
    grants: [],
    nodes: [{ id: 'send', name: 'Send', kind: 'rest-api', position: { x: 0, y: 0 }, settings: { url } }],
    wires: [],
  },
});

test('a target is named by the pipelines that send to it, and its host', () => {
  const running = [
    start('Reports', 'https://mes.example:8443/a/{{payload.id}}'),
    start('Other', 'http://erp.example/x'),
  ];
  expect(targetNames(running, 'https://mes.example:8443')).toBe('Reports (mes.example:8443)');
  expect(targetNames(running, 'http://erp.example:80')).toBe('Other (erp.example:80)');
  expect(targetNames([...running, start('A', 'https://mes.example:8443')], 'https://mes.example:8443')).toBe(
    'A, Reports (mes.example:8443)',
  );
  expect(targetNames([start('Odd', 7)], 'http://gone.example:80')).toBe('gone.example:80');
});
