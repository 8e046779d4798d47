import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

test('a request gets its response, and null without a host', async () => {
  expect(await askHost(folder, { command: 'x' })).toBeNull();
  await host((request) => Promise.resolve({ asked: request }));
  expect(await askHost(folder, { command: 'x', n: 1 })).toEqual({ value: { asked: { command: 'x', n: 1 } } });
  await open?.close();
  expect(await askHost(folder, { command: 'x' })).toBeNull();
});

test('the cause of an internal error is in the log', async () => {
  await host(() => Promise.reject(new SluiceError('internal', 'Something went wrong.', { cause: new Error('disk') })));
  await expect(askHost(folder, {})).rejects.toMatchObject({ code: 'internal' });
  expect(log).toContain('disk');
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

test.skipIf(process.platform === 'win32')('a socket that a crashed host left behind is replaced', async () => {
  writeFileSync(controlAddress(folder).path, '');
  expect(await askHost(folder, {})).toBeNull();
  await host(() => Promise.resolve('here'));
  expect(await askHost(folder, {})).toEqual({ value: 'here' });
});

test.skipIf(process.platform === 'win32')(
  'a data folder with a long path is reached too, through a folder of the user',
  async () => {
    const deep = join(folder, 'x'.repeat(120));
    const address = controlAddress(deep);
    expect(Buffer.byteLength(address.path)).toBeLessThanOrEqual(100);
    await host(() => Promise.resolve('deep'), deep);
    expect(statSync(address.folder ?? '').mode & 0o777).toBe(0o700);
    expect(await askHost(deep, {})).toEqual({ value: 'deep' });
  },
);

test.skipIf(process.platform === 'win32')(
  'a socket in a folder that others can write to is not used: its owner could record a password',
  async () => {
    const deep = join(folder, 'y'.repeat(120));
    await host(() => Promise.resolve('deep'), deep);
    const own = controlAddress(deep).folder ?? '';
    chmodSync(own, 0o777);
    try {
      expect(await askHost(deep, { command: 'x' })).toBeNull();
    } finally {
      chmodSync(own, 0o700);
    }
    expect(await askHost(deep, { command: 'x' })).toEqual({ value: 'deep' });
  },
);

test('a request that is too long or is not JSON gets no value', async () => {
  let asked = 0;
  await host(() => Promise.resolve(++asked));
  expect(await send(`${JSON.stringify({ command: 'x'.repeat(70_000) })}\n`)).toBe('');
  expect(JSON.parse(await send('nonsense\n'))).toMatchObject({ error: { code: 'invalid' } });
  expect(JSON.parse(await send('[1]\n'))).toMatchObject({ error: { code: 'invalid' } });
  expect(asked).toBe(0);
});

describe('bytes', () => {
  test('are sent with a request, and arrive with its response', async () => {
    const body = crypto.getRandomValues(new Uint8Array(65_536));
    await host(async (request, { body: came, send: give }) => {
      await give(Readable.from([came, Buffer.from('!')]));
      return request;
    });
    const pieces: Uint8Array[] = [];
    const keep = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) pieces.push(chunk);
    };
    expect(await askHost(folder, { command: 'x' }, { body, keep })).toEqual({ value: { command: 'x' } });
    expect(Buffer.concat(pieces).equals(Buffer.concat([body, Buffer.from('!')]))).toBe(true);
  });

  test('count as delivered when they are saved, and not when the receiver could not save them', async () => {
    const outcome = Promise.withResolvers<string>();
    await host(async (_, { send: give }) => {
      await give(Readable.from([Buffer.from('x')])).then(
        () => outcome.resolve('kept'),
        (error: Error) => outcome.resolve(error.message),
      );
    });
    const keep = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const _ of chunks);
      throw new Error('the disk is full');
    };
    await expect(askHost(folder, {}, { keep })).rejects.toThrow('the disk is full');
    expect(await outcome.promise).toContain('did not keep them');
  });

  test('over the limit of a plugin are not accepted', async () => {
    let asked = 0;
    await host(() => Promise.resolve(++asked));
    for (const bodyBytes of [20 * 1024 ** 2 + 1, -1, 1.5, '1'])
      expect(await send(`${JSON.stringify({ command: 'x', bodyBytes })}\n`)).toBe('');
    expect(asked).toBe(0);
  });
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
