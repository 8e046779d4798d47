import { afterEach, expect, test } from 'vitest';
import type { EgressNews } from '#common/control/messages.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { unrecordedWrites } from '../capabilities/write-log.testing.ts';
import type { DiskRoom } from '../capabilities/disk-meter.ts';
import { ENDLESS_DISK } from '../capabilities/disk-room.testing.ts';
import type { Egress } from './contract.ts';
import { openEgress } from './egress.ts';
import { Opened } from './http/target.testing.ts';
import { testRun } from '#sdk/testing.ts';

const opened = new Opened();
afterEach(() => opened.close());

async function egressWith(
  onNews: (news: EgressNews) => void,
  { disk = ENDLESS_DISK, diskReserveBytes = 0 }: { disk?: DiskRoom; diskReserveBytes?: number } = {},
): Promise<Egress> {
  const dir = await tempDir('egress-');
  opened.onClose(dir.remove);
  const settings = settingsSchema.parse({ diskReserveBytes });
  const key = Buffer.alloc(32, 7);
  const log = createLogger('test', () => undefined);
  const egress = openEgress({ dataDir: dir.path, settings, key, disk, writes: unrecordedWrites(), log, onNews });
  opened.onClose(() => egress.close());
  return egress;
}

const PLACE = { project: 'line-1', pipeline: 'report', node: 'push', test: false };
const CALL = { path: '/', body: 'x', orderingKey: null, traceparent: null, caller: 'key', origin: {}, run: testRun() };
const never = new AbortController().signal;

test('a stored call to an address that is not allowed is stored, and sent once the address is allowed', async () => {
  const target = await opened.http((_req, res) => res.end('ok'));
  let news: EgressNews | null = null;
  const egress = await egressWith((told) => (news = told));
  const endpoint = { origin: target.origin, method: 'POST', headers: {}, timeoutSeconds: 20, tls: null };
  const line = await egress.forNode(PLACE).open({ ...endpoint, storeAndForward: true });
  expect(await line.send(CALL, never)).toMatchObject({ kind: 'queued' });
  await until('its target is paused', () => news?.paused[0]?.target === target.origin);
  expect(news).toMatchObject({ paused: [{ reason: expect.stringContaining('allowed internal targets') as string }] });
  expect(target.connections).toHaveLength(0);
  const allowedInternalTargets = [`127.0.0.1:${target.port}`];
  await egress.settings(settingsSchema.parse({ diskReserveBytes: 0, allowedInternalTargets }));
  const { targets } = await egress.control['egress-state']({});
  await egress.control['egress-target-act']({ target: targets[0]?.id ?? '', act: 'resume', by: 'Ada' });
  await until('it arrives', () => target.requests.length === 1);
  line.close();
});

test('the target of direct calls that found no free place is named', async () => {
  const target = await opened.http(() => undefined);
  let news: EgressNews | null = null;
  const egress = await egressWith((told) => (news = told));
  const allowedInternalTargets = [`127.0.0.1:${target.port}`];
  await egress.settings(settingsSchema.parse({ diskReserveBytes: 0, allowedInternalTargets }));
  const endpoint = { origin: target.origin, method: 'GET', headers: {}, timeoutSeconds: 60, tls: null };
  const line = await egress.forNode(PLACE).open({ ...endpoint, storeAndForward: false });
  const ends = new AbortController();
  for (let call = 0; call < 300; call++) line.send(CALL, ends.signal).catch(() => undefined);
  await until('it is named', () => news?.callsRefusedTo[0] === target.origin);
  ends.abort();
});

test('a project without room on the disk stores no calls, and another one does', async () => {
  const disk = { ...ENDLESS_DISK, room: (project: string) => (project === PLACE.project ? 0 : Infinity) };
  const egress = await egressWith(() => undefined, { disk });
  const endpoint = { origin: 'http://127.0.0.1:9', method: 'POST', headers: {}, timeoutSeconds: 1, tls: null };
  const [line, other] = await Promise.all(
    [PLACE, { ...PLACE, project: 'other' }].map((place) =>
      egress.forNode(place).open({ ...endpoint, storeAndForward: true }),
    ),
  );
  await expect(line?.send(CALL, never)).rejects.toMatchObject({ code: 'outbox_full' });
  expect(await other?.send(CALL, never)).toMatchObject({ kind: 'queued' });
  line?.close();
  other?.close();
});

test('only the events stored in the outbox count as written to the disk', async () => {
  const noted: number[] = [];
  const disk = {
    ...ENDLESS_DISK,
    note: (_project: string | null, _kind: string, bytes: number) => void noted.push(bytes),
  };
  const egress = await egressWith(() => undefined, { disk, diskReserveBytes: 1024 ** 4 });
  const endpoint = { origin: 'http://127.0.0.1:9', method: 'POST', headers: {}, timeoutSeconds: 20, tls: null };
  const line = await egress.forNode(PLACE).open({ ...endpoint, storeAndForward: true });
  for (let call = 0; call < 3; call++)
    await expect(line.send(CALL, never)).rejects.toMatchObject({ code: 'outbox_full' });
  expect(noted).toEqual([]);
  await egress.settings(settingsSchema.parse({ diskReserveBytes: 0 }));
  expect(await line.send(CALL, never)).toMatchObject({ kind: 'queued' });
  expect(noted).toHaveLength(1);
  // The target is known to be unreachable now, so the event is queued as soon as it is stored.
  expect(await line.send(CALL, never)).toMatchObject({ kind: 'queued' });
  expect(noted).toHaveLength(2);
  line.close();
});
