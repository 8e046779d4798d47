import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/** A pipeline runs although its trigger does not work: its record reports that (GET …/pipelines). */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const PIPELINES = '/projects/line-7/pipelines';
const TAGS = '/projects/line-7/tags';
let service: TestService;

beforeAll(async () => {
  service = await startService([]);
  await service.setUp();
  await service.admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
});
afterAll(() => service.stop());

interface Record {
  readonly state: string;
  readonly triggerFaults: { node: string; code: string; message: string }[];
}

async function recordOf(pipeline: string): Promise<Record | undefined> {
  const { items } = await service.admin.ok<{ items: (Record & { id: string })[] }>('GET', PIPELINES);
  return items.find(({ id }) => id === pipeline);
}

const told = async (pipeline: string, count: number): Promise<Record> =>
  until(`${count} faults`, async () => {
    const record = await recordOf(pipeline);
    return record?.triggerFaults.length === count && record;
  });

test('a trigger whose tag does not exist is reported until the tag exists, and again after a restart of the gateway', async () => {
  const settings = { tags: ['press/speed', 'press/*'] };
  const nodes = [
    { id: 'changed', kind: 'tag-change', settings },
    { id: 'note', kind: 'log', settings: { message: 'changed' } },
  ];
  const wires = [{ from: 'changed', port: 'out', to: 'note' }];
  const definition = { id: 'watch', name: 'Watch', grants: ['tag:read'], nodes, wires };
  await service.admin.ok('POST', PIPELINES, definition);
  expect(await recordOf('watch')).toMatchObject({ state: 'stopped', triggerFaults: [] });
  await service.admin.ok('POST', `${PIPELINES}/watch/start`, {});
  const fault = { node: 'changed', code: 'tag_unknown', message: 'there is no tag "press/speed"' };
  expect(await told('watch', 1)).toMatchObject({ state: 'running', triggerFaults: [fault] });

  const { gateway } = await service.status();
  process.kill(Number(gateway.pid), 'SIGKILL');
  await until('another gateway', async () => {
    const { gateway: now } = await service.status();
    return now.state === 'running' && now.pid !== gateway.pid;
  });
  expect(await told('watch', 1)).toMatchObject({ triggerFaults: [fault] });

  await service.admin.ok('POST', `${PIPELINES}/watch/stop`);
  expect(await told('watch', 0)).toMatchObject({ state: 'stopped' });
  await service.admin.ok('POST', `${PIPELINES}/watch/start`, {});
  expect(await told('watch', 1)).toMatchObject({ triggerFaults: [fault] });
  const tag = { path: 'press/speed', type: 'number', source: { provider: 'memory', initial: 0 } };
  await service.admin.ok('PUT', TAGS, { items: [tag] });
  expect(await told('watch', 0)).toMatchObject({ state: 'running' });
});
