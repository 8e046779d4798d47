import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { CapabilityBroker } from './capability-broker.ts';
import { createFiles } from './files/files.ts';
import { callForPerson } from './for-person.ts';
import { ENDLESS_DISK } from './disk-room.testing.ts';

const log = createLogger('test', () => undefined);

test('bytes travel as base64, and JSON that looks like it is unchanged', async () => {
  await using dir = await tempDir();
  const files = createFiles({ dataDir: dir.path, log, disk: ENDLESS_DISK });
  const door = new CapabilityBroker([files]);
  const call = (name: string, args: object) => callForPerson(door, log, { project: 'p', name, args });
  const content = { base64: 'AAE=' };
  await call('files.write', { path: 'a.bin', content, format: 'bytes' });
  expect(await call('files.read', { path: 'a.bin', format: 'bytes' })).toEqual(content);
  await call('files.write', { path: 'a.json', content: { ...content, name: 'label' }, format: 'json' });
  expect(await call('files.read', { path: 'a.json', format: 'json' })).toEqual({ ...content, name: 'label' });
  await files.close();
});
