import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperProgram, NODE_PROGRAM, SERVICE_FOLDER } from './helper-program.ts';

test('a file of a checkout or of a service runs with the current program', () => {
  for (const file of ['/home/me/sluice/main/x.ts', '/usr/lib/sluice/main/x.ts', '/opt/app.asar.unpacked/main/x.ts'])
    expect(helperProgram(join(file))).toEqual({ file: join(file) });
});

test('a file inside the archive runs unpacked, with the Node of the service next to it', () => {
  const resources = join('/opt/Sluice/resources');
  expect(helperProgram(join(resources, 'app.asar/main/keychain/worker.ts'))).toEqual({
    file: join(resources, SERVICE_FOLDER, 'main/keychain/worker.ts'),
    execPath: join(resources, SERVICE_FOLDER, NODE_PROGRAM),
  });
});
