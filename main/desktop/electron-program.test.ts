import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, type ProgramSearch } from './electron-program.ts';

/** A package as installed by npm, whose install script writes the same as Electron's, or what the test specifies. */
let folder: string;
let told: string[];
let releases: Server | null;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'sluice-electron-')), 'electron');
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  told = [];
  releases = null;
});
afterEach(async () => {
  await new Promise<void>((done) => (releases === null ? done() : releases.close(() => done())));
  await rm(join(folder, '..'), { recursive: true });
});

const INSTALLS = `const { writeFileSync } = require('node:fs');
writeFileSync(__dirname + '/dist/electron', '');
writeFileSync(__dirname + '/path.txt', 'electron');`;

async function listening(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  releases = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function search(environment: NodeJS.ProcessEnv, part: Partial<ProgramSearch> = {}): ReturnType<typeof findProgram> {
  const screen = { DISPLAY: ':0', ELECTRON_MIRROR: 'http://127.0.0.1:9/', ...environment };
  return findProgram({
    packageFolder: folder,
    environment: screen,
    platform: 'linux',
    tell: (line) => told.push(line),
    ...part,
  });
}

test('an installed program is used without a question', async () => {
  await writeFile(join(folder, 'dist', 'electron'), '');
  await writeFile(join(folder, 'path.txt'), 'electron\n');
  expect(await search({ ELECTRON_MIRROR: 'not an address' })).toEqual({ program: join(folder, 'dist', 'electron') });
  expect(told).toEqual([]);
});

test('without a display there is no window, even with a program', async () => {
  await writeFile(join(folder, 'install.js'), INSTALLS);
  const mirror = { ELECTRON_MIRROR: await listening() };
  expect(await search({ ...mirror, DISPLAY: '' })).toMatchObject({ program: null, reason: 'there is no screen' });
  expect(await search({ ...mirror, DISPLAY: '' }, { platform: 'win32' })).toMatchObject({
    program: expect.any(String),
  });
});

test.each([{ SLUICE_NO_DOWNLOAD: '1' }, { CI: 'true' }])('nothing is downloaded with %o', async (environment) => {
  await writeFile(join(folder, 'install.js'), INSTALLS);
  expect(await search({ ELECTRON_MIRROR: await listening(), ...environment })).toMatchObject({ program: null });
  await expect(readFile(join(folder, 'path.txt'))).rejects.toThrow('ENOENT');
});

test('a PC without a network starts without Electron, at once and without a download', async () => {
  await writeFile(join(folder, 'install.js'), INSTALLS);
  const found = await search({});
  expect(found).toMatchObject({ program: null, reason: expect.stringContaining('cannot be downloaded') });
  expect(told).toEqual([]);
});

test('a network that drops packets is waited for no longer than the limit', async () => {
  const server = createServer(() => {});
  releases = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await search({ ELECTRON_MIRROR: mirror }, { reachMsMax: 50 })).toMatchObject({ program: null });
  server.closeAllConnections();
});

test('a possible download is made, with a notice to the waiting user', async () => {
  await writeFile(join(folder, 'install.js'), INSTALLS);
  const found = await search({ ELECTRON_MIRROR: await listening() });
  expect(found).toEqual({ program: join(folder, 'dist', 'electron') });
  expect(told).toHaveLength(1);
});

test.each([
  ['fails', 'process.exit(1)', {}],
  ['hangs', 'setInterval(() => {}, 1000)', { fetchMsMax: 200 }],
  ['ends without a program', '', {}],
])('a download that %s is rejected', async (_what, script, limits) => {
  await writeFile(join(folder, 'install.js'), script);
  const found = await search({ ELECTRON_MIRROR: await listening() }, limits);
  expect(found).toMatchObject({ program: null, reason: expect.stringContaining('did not come to an end') });
});
