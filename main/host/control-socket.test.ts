import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { askHost } from '../cli/host-call.ts';
import { controlAddress } from './control-address.ts';
import { openControlSocket, type ControlHandler, type ControlSocket } from './control-socket.ts';

let folder: string;
let open: ControlSocket | null = null;
let log = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  log = '';
});

afterEach(async () => {
  await open?.close();
  open = null;
  rmSync(folder, { recursive: true, force: true });
});

async function host(handler: ControlHandler, dataDir = folder): Promise<void> {
  open = await openControlSocket(
    dataDir,
    handler,
    createLogger('host', (line) => (log += line)),
  );
}

test('a question gets its answer, and nobody there is null', async () => {
  expect(await askHost(folder, { command: 'x' })).toBeNull();
  await host((request) => Promise.resolve({ asked: request }));
  expect(await askHost(folder, { command: 'x', n: 1 })).toEqual({ value: { asked: { command: 'x', n: 1 } } });
  await open?.close();
  expect(await askHost(folder, { command: 'x' })).toBeNull();
});

test('an error of the catalogue travels with its sentence, any other stays in the log', async () => {
  await host(() => Promise.reject(new SluiceError('conflict', 'that name is taken')));
  await expect(askHost(folder, {})).rejects.toMatchObject({ code: 'conflict', message: 'that name is taken' });
  await open?.close();
  await host(() => Promise.reject(new Error('secret detail')));
  await expect(askHost(folder, {})).rejects.toMatchObject({ code: 'internal' });
  expect(log).toContain('secret detail');
});

test.skipIf(process.platform === 'win32')('only its user can open the socket', async () => {
  const umask = process.umask(0);
  await host(() => Promise.resolve(null)).finally(() => process.umask(umask));
  expect(statSync(controlAddress(folder).path).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === 'win32')('a socket that a crashed host left is replaced', async () => {
  writeFileSync(controlAddress(folder).path, '');
  expect(await askHost(folder, {})).toBeNull();
  await host(() => Promise.resolve('here'));
  expect(await askHost(folder, {})).toEqual({ value: 'here' });
});

test.skipIf(process.platform === 'win32')(
  'a data folder with a long path is reached too, by a folder of the user’s own',
  async () => {
    const deep = join(folder, 'x'.repeat(120));
    const address = controlAddress(deep);
    expect(Buffer.byteLength(address.path)).toBeLessThanOrEqual(100);
    await host(() => Promise.resolve('deep'), deep);
    expect(statSync(address.folder ?? '').mode & 0o777).toBe(0o700);
    expect(await askHost(deep, {})).toEqual({ value: 'deep' });
  },
);

test('a question that is too long, or no JSON, is not answered with a value', async () => {
  let asked = 0;
  await host(() => Promise.resolve(++asked));
  expect(await send(`${JSON.stringify({ command: 'x'.repeat(70_000) })}\n`)).toBe('');
  expect(JSON.parse(await send('nonsense\n'))).toMatchObject({ error: { code: 'invalid' } });
  expect(JSON.parse(await send('[1]\n'))).toMatchObject({ error: { code: 'invalid' } });
  expect(asked).toBe(0);
});

function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = createConnection({ path: controlAddress(folder).path }, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => {});
    socket.once('close', () => resolve(answer));
  });
}
