import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { startService } from '#test/service.ts';
import { sluice } from './sluice.ts';

/** Prints each module of the fleet that the process loads. */
const WATCH = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/\\/main\\/fleet\\/|@nats-io/.test(url)) process.stderr.write('loaded ' + url + '\\n');
  return next(url, context);
} });`;

test('a machine outside of a fleet loads no module of it and writes nothing for it', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(WATCH)}`;
  const program = [process.execPath, join(ROOT, 'main/service.ts')] as const;
  await using service = await startService([], { env: { NODE_OPTIONS }, program });
  await service.setUp();
  expect(await service.admin.ok('GET', '/fleet')).toEqual({ role: 'none' });
  expect(await service.status()).not.toHaveProperty('fleet');
  expect(service.log()).not.toContain('loaded ');
  expect(existsSync(join(service.dataDir, 'nats'))).toBe(false);
  expect((await sluice('fleet', 'status', '--data', service.dataDir)).error).toContain('no hub or edge is running');
  expect((await sluice('hub', 'token', 'edge-1', '--data', service.dataDir)).error).toContain('No hub is running');
});
