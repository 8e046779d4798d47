import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { callWith, holding, stubDoor } from './capability-fixture.ts';
import { makeFixture } from './sandbox-fixture.ts';

/** The workers are threads of this process, which has done nothing else: their memory shows in its resident size. */
const MIB = 1024 * 1024;
const CALLS = 25;

test('the memory of runs that ended because it was full does not accumulate', async () => {
  // For the workers, as when the gateway is started.
  setFlagsFromString('--expose-gc');
  const { sandbox, compile } = await makeFixture();
  const fill = `for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e6).fill(1))`;
  const script = await compile(`export default () => { const all = []; for (;;) ${fill} }`, 60);
  const held = holding(
    stubDoor(() => null),
    [],
  );
  const fails = () => expect(callWith(script, held, null)).rejects.toMatchObject({ code: 'script_memory' });
  await fails();
  const first = process.memoryUsage.rss();
  let most = 0;
  for (let i = 1; i < CALLS; i++) {
    await fails();
    most = Math.max(most, process.memoryUsage.rss() - first);
  }
  await sandbox.close();
  // One that is not collected yet; by default V8 leaves two or three.
  expect(most).toBeLessThan(1.5 * 64 * MIB);
});
