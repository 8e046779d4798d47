import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { dirPerTest } from '#test/test-dir.ts';
import { plainReason } from './keychain-reasons.ts';

/**
 * Against a real Secret Service: gnome-keyring in a separate D-Bus session, with a separate home folder. Needs
 * dbus-run-session (dbus-daemon), dbus-send (dbus-bin), gnome-keyring and libsecret-1-0.
 */
const SCENARIOS = fileURLToPath(new URL('./keyring-scenarios.ts', import.meta.url));
const UNLOCKED = `printf 'a password\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null && `;
/** A session bus that cannot start services. */
const BARE_BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:tmpdir=/tmp</listen><policy context="default">
  <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

const dir = dirPerTest();
beforeEach(() => {
  mkdirSync(join(dir.path, 'data'));
});

function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dir.path,
    XDG_RUNTIME_DIR: dir.path,
    NODE: process.execPath,
    ...environment,
  };
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  execFile(command, args, { env, timeout: 50_000 }, (error, stdout, stderr) => {
    const line = stdout.trim().split('\n').at(-1) ?? '';
    if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
    else resolve(JSON.parse(line));
  });
  return promise;
}

const node = (name: string): string => `"$NODE" '${SCENARIOS}' ${name} '${join(dir.path, 'data')}'`;
const inSession = (name: string, before = UNLOCKED): Promise<unknown> =>
  run('dbus-run-session', ['--', 'sh', '-c', before + node(name)]);

describe('the OS keychain', { timeout: 60_000 }, () => {
  test('holds the secret of a vault with its generation, and knows no other vault', async () => {
    expect(await inSession('store')).toEqual({ same: true, generation: 42, other: null, forgotten: null });
  });

  test('opens a vault after a restart, detects a restored older one, and leaves no secret in the folder', async () => {
    expect(await inSession('vault')).toEqual({
      secretStore: 'keychain',
      notices: [],
      rolledBack: false,
      reopened: { notes: ['a', 'b'], samePepper: true },
      putBack: { notes: ['a'], rolledBack: true },
      files: ['lock.sqlite', 'vault.db', 'vault.db.previous'],
    });
  });

  test('accepts a restored vault, and treats the one it replaced as rolled back if it returns', async () => {
    expect(await inSession('restored')).toEqual({ restored: { notes: ['a'], samePepper: true }, rolledBack: true });
  });

  test('distinguishes a locked keychain from a lost secret', async () => {
    const locked = 'The OS keychain cannot be used: it is locked or has no default collection; unlock it first.';
    expect(await inSession('locked')).toEqual({
      existing: locked,
      fresh: `${locked} To keep the secret in a file instead: --secret-store file`,
    });
  });

  test('without a default collection is refused like a locked one', async () => {
    const answer = await inSession('none', 'gnome-keyring-daemon --start --components=secrets >/dev/null && ');
    expect(answer).toMatchObject({ asked: expect.stringContaining('it is locked or has no default collection') });
  });

  test('that hangs neither loses nor undoes a change, and gets the generation later', async () => {
    expect(await inSession('halted')).toEqual({
      during: { notes: ['a'], codes: ['generation_behind'] },
      after: { notes: ['a', 'b'], codes: [] },
    });
  });

  test('that hangs does not keep the calling process from ending', { timeout: 15_000 }, async () => {
    const answer = await inSession('ending');
    expect(answer).toMatchObject({ unanswered: 'keychain-timed-out', pid: expect.any(Number) });
    if (typeof answer === 'object' && answer !== null && 'pid' in answer) process.kill(Number(answer.pid), 'SIGKILL');
  });
});

describe('without a keychain', { timeout: 30_000 }, () => {
  const refused = (why: string) => {
    const text = `The OS keychain cannot be used: ${why}. To keep the secret in a file instead: --secret-store file`;
    return {
      packaged: text,
      asked: text,
      filesAfterRefusal: ['lock.sqlite'],
      secretStore: 'file',
      codes: ['secret_unprotected'],
    };
  };

  test('without a session bus, a package refuses to start and names the flag, and a checkout uses a file and reports it', async () => {
    expect(await run('sh', ['-c', node('none')])).toEqual(refused('there is no D-Bus session to reach it by'));
  });

  test('the same with a bus without a Secret Service', async () => {
    const config = join(dir.path, 'bus.conf');
    writeFileSync(config, BARE_BUS);
    const answer = await run('dbus-run-session', [`--config-file=${config}`, '--', 'sh', '-c', node('none')]);
    expect(answer).toEqual(refused('no Secret Service is running; expected one such as gnome-keyring'));
  });

  test('the same with a libsecret that cannot be loaded', async () => {
    writeFileSync(join(dir.path, 'libsecret-1.so.0'), '');
    const answer = await run('sh', ['-c', node('none')], { LD_LIBRARY_PATH: dir.path });
    expect(answer).toEqual(
      refused('its library cannot be loaded; on Linux install libsecret (Debian: apt install libsecret-1-0)'),
    );
  });

  test('an unexpected response is quoted and cut short', () => {
    expect(plainReason('x'.repeat(500))).toBe(`The OS keychain cannot be used: it answered "${'x'.repeat(200)}".`);
  });
});
