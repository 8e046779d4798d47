import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { installService, type InstalledService } from '#test/installed-service.ts';
import { startService } from '#test/service.ts';
import { skipped } from '#test/skipped.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { openControlSocket, type ControlHandler, type ControlSocket } from '../host/control-socket.ts';
import { controlAddress } from '../host/control-address.ts';
import { runSluice } from './testing/sluice.ts';

/**
 * The installed service has no access to /home, /root and /tmp (because of its unit), so the command line reads and
 * writes the files, and only their bytes are sent to the host.
 */
const DATA_OWNER = new URL('./data-owner.ts', import.meta.url).href;
vi.setConfig({ testTimeout: 240_000 });
const PASSPHRASE = 'a long passphrase';
const input = `${PASSPHRASE}\n`;

let data: TempDir;
let own: TempDir;
let file: string;
let socket: ControlSocket | null = null;

beforeEach(async () => {
  [data, own] = await Promise.all([tempDir(), tempDir()]);
  file = join(own.path, 'line.backup');
});
afterEach(async () => {
  await socket?.close();
  socket = null;
  await data.remove();
  await own.remove();
});

async function host(handler: ControlHandler): Promise<void> {
  const log = createLogger('host', () => {});
  socket = await openControlSocket(data.path, handler, log);
}

const backup = (path = file) => runSluice(['backup', path, '--data', data.path], { input });

describe('a command to a running host', () => {
  test('contains no path, and its bytes arrive complete, even when larger than a frame', async () => {
    const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
      .toString('base64')
      .repeat(100);
    const asked: unknown[] = [];
    await host(async (request, { send }) => {
      asked.push(request);
      await send(Readable.from([Buffer.from(bytes), Buffer.alloc(0), Buffer.from('end')]));
    });
    expect(await backup()).toMatchObject({ code: 0, stdout: `The backup is in ${file}.\n` });
    expect(asked).toEqual([{ command: 'backup', passphrase: PASSPHRASE, includeJournal: false }]);
    expect(readFileSync(file, 'utf8') === `${bytes}end`).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(own.path)).toEqual(['line.backup']);
  });

  test('that fails half-way leaves no file, and prints the reason of the host', async () => {
    await host(async (_, { send }) => send(half()));
    const { code, stderr } = await backup();
    expect([code, stderr]).toEqual([1, expect.stringContaining('sluice: An internal error occurred in Sluice')]);
    expect(readdirSync(own.path)).toEqual([]);
  });

  test('whose host dies half-way leaves no file', async () => {
    const server = createServer((one) => {
      one.on('error', () => {});
      // A frame of 100 bytes, of which one is sent.
      one.once('data', () => one.end(Buffer.concat([Buffer.from('{"bytes":true}\n'), Buffer.from([0, 0, 0, 100, 1])])));
    });
    server.listen(controlAddress(data.path).path);
    await once(server, 'listening');
    try {
      expect((await backup()).stderr).toBe('sluice: the running Sluice ended before it responded\n');
    } finally {
      server.close();
    }
    expect(readdirSync(own.path)).toEqual([]);
  });

  test.each([
    [
      'a file that exists',
      () => writeFileSync(file, ''),
      'line.backup could not be written: it already exists; expected a new file',
    ],
    [
      'a folder that does not exist',
      () => (file = join(own.path, 'none', 'x')),
      'none/x could not be written: there is no folder',
    ],
    [
      'a folder that an earlier attempt left',
      () => writeFileSync(`${file}.part`, ''),
      '.part is left over from an interrupted attempt; remove it',
    ],
  ])('is not even sent with %s', async (_, make, sentence) => {
    let asked = 0;
    await host(() => Promise.resolve(asked++));
    make();
    const { code, stderr } = await backup(file);
    expect([code, asked]).toEqual([1, 0]);
    expect(stderr).toContain(sentence);
  });
});

/** The user as whom a restore by root into this folder continues. */
function whoRestoresInto(folder: string): string {
  const code = `import { becomeOwner } from ${JSON.stringify(DATA_OWNER)}; becomeOwner(process.argv[1]); console.log(process.getuid());`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code, folder], { encoding: 'utf8' }).trim();
}

async function* half(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(1_000);
  throw new Error('the disk is gone');
}

/** As `nobody`, who has no access to a folder of root; the tests of a container run as root. */
const NOBODY = 65_534;
const SETPRIV = '/usr/bin/setpriv';
const skipReason = whyNoOtherUser();
const AS_NOBODY = [SETPRIV, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
const MANIFEST = { id: 'acme', name: 'Acme', version: '1.0.0', kinds: [], capabilities: [], targets: [] };

/** Null: this run can start the packed service as another user. */
function whyNoOtherUser(): string | null {
  if (process.getuid?.() !== 0) return 'needs root: it starts the service as another user';
  if (!existsSync(SETPRIV)) return `needs ${SETPRIV}`;
  return process.platform === 'linux' && process.arch === 'x64' ? null : 'needs Linux on x64: it runs the package';
}

describe.skipIf(skipReason !== null)(
  `root, with a service of another user that cannot access folders of root${skipped(skipReason)}`,
  () => {
    let service: InstalledService;
    const serve = () => startService([], { dataDir: data.path, program: [...AS_NOBODY, service.program] });
    const installed = (words: readonly string[]) => runSluice(words, { input, program: service.program });

    beforeAll(async () => {
      service = await installService();
      return () => service[Symbol.asyncDispose]();
    });

    beforeEach(() => {
      chownSync(data.path, NOBODY, NOBODY);
      chmodSync(own.path, 0o700);
    });

    test('the folder is closed to the user of the service', async () => {
      writeFileSync(file, '');
      const [program, ...words] = AS_NOBODY;
      const [code] = (await once(spawn(program, [...words, 'cat', file], { stdio: 'ignore' }), 'exit')) as [number];
      expect(code).toBe(1);
    });

    test('does not follow a link that this user has created in place of the vault', async () => {
      symlinkSync('/etc/passwd', join(data.path, 'vault.db'));
      lchownSync(join(data.path, 'vault.db'), NOBODY, NOBODY);
      expect((await installed(['plugin', 'list', '--data', data.path])).stderr).toContain(
        'belongs to a user other than root',
      );
      expect(whoRestoresInto(data.path)).toBe(String(NOBODY));
      rmSync(join(data.path, 'vault.db'));
      const theirs = join(own.path, 'theirs');
      writeFileSync(theirs, '');
      chownSync(theirs, 1, 1);
      symlinkSync(theirs, join(data.path, 'vault.db'));
      lchownSync(join(data.path, 'vault.db'), NOBODY, NOBODY);
      expect(whoRestoresInto(data.path)).toBe(String(NOBODY));
    });

    test('backs up into it, adds a plugin from it, and restores from it as that user', async () => {
      const plugin = join(own.path, 'plugin');
      mkdirSync(plugin);
      const kinds = [{ id: 'acme-x', title: 'X', summary: 'Does x.', scopes: [] }];
      writeFileSync(join(plugin, 'sluice-plugin.json'), JSON.stringify({ ...MANIFEST, kinds }));
      writeFileSync(join(plugin, 'index.js'), 'export default {}');
      {
        await using running = await serve();
        expect(await installed(['backup', file, '--data', data.path])).toMatchObject({ code: 0, stderr: '' });
        const added = await installed(['plugin', 'add', plugin, '--data', data.path]);
        expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Acme (acme 1.0.0), 2 files')]);
        expect(await running.stop()).toBe(0);
      }
      expect(statSync(file)).toMatchObject({ uid: 0 });
      expect((await installed(['plugin', 'list', '--data', data.path])).stderr).toContain(
        'belongs to a user other than root',
      );
      const words = ['restore', file, '--data', data.path, '--secret-store', 'file'];
      expect(await installed(words)).toMatchObject({ code: 0 });
      const owners = readdirSync(data.path, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(join(data.path, name)).uid,
      );
      expect(new Set(owners)).toEqual(new Set([NOBODY]));
      await using again = await serve();
      expect((await installed(['plugin', 'list', '--data', data.path])).stdout).toContain('There are no plugins.');
      expect(await again.stop()).toBe(0);
    });
  },
);
