import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { dirPerTest } from '#test/test-dir.ts';
import { LINUX_FILES } from './deb.ts';

/**
 * The .deb's scripts in the possible states of a PC, as dpkg calls them: in a folder that represents the system's root,
 * with replacements for the programs that change users and services. The real ones are in deb-in-root.ts.
 */
const NEEDED = ['sh', 'cut', 'head', 'mkdir', 'chmod', 'rm', 'rmdir', 'mv', 'dirname', 'grep', 'cat'];
const STAND_INS = {
  getent: 'grep "^$2:" "$ROOT/$1" 2>/dev/null',
  groupadd: 'echo "sluice:x:990:" >>"$ROOT/group"',
  useradd:
    'case "$*" in *--user-group*) grep -q "^sluice:" "$ROOT/group" 2>/dev/null && exit 9 ;; esac; echo "sluice:x:990:990::$ROOT/var/lib/sluice:/usr/sbin/nologin" >>"$ROOT/passwd"',
  userdel: ': >"$ROOT/passwd"',
  chown: ':',
  systemctl: `WANTED="$ROOT/etc/systemd/system/multi-user.target.wants"
case "$*" in
  *is-enabled*) [ -e "$WANTED/sluice.service" ] ;;
  disable*) rm -f "$WANTED/sluice.service" ;;
  enable*) if [ -e "$ROOT/masked" ]; then exit 1; fi; mkdir -p "$WANTED"; echo >"$WANTED/sluice.service" ;;
  daemon-reload) [ ! -e "$ROOT/stuck" ] ;;
esac`,
  'systemd-creds': `case "$1" in
  encrypt) cat >/dev/null; echo sealed ;;
  decrypt) [ ! -e "$ROOT/other-machine" ] ;;
esac`,
} as const;

const SECRET = 'etc/credstore.encrypted/sluice-secret';
const DROP_IN = 'etc/systemd/system/sluice.service.d/secret.conf';
const DATA = 'var/lib/sluice';

const root = dirPerTest();
const at = (path: string): string => join(root.path, path);
const calls = (): string[] => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : []);
const read = (path: string): string => readFileSync(at(path), 'utf8');

beforeEach(() => {
  for (const folder of ['bin', 'var/lib', 'etc']) mkdirSync(at(folder), { recursive: true });
  for (const name of NEEDED) symlinkSync(join('/bin', name), at(`bin/${name}`));
  for (const [name, does] of Object.entries(STAND_INS)) {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >>"$ROOT/calls"\n${does}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
});

const boot = (): void => void mkdirSync(at('run/systemd/system'), { recursive: true });

function run(script: string, ...args: string[]): { status: number | null; told: string } {
  const own = readFileSync(join(LINUX_FILES, script), 'utf8');
  const text = own.replaceAll(/(?<![\w.])\/(var|etc|run)\//g, `${root.path}/$1/`);
  // Nothing of this machine's own folders may remain in it.
  expect(text.replaceAll(root.path, '…')).not.toMatch(/(?<!…)\/(var|etc|run)\b/);
  writeFileSync(at('script'), text);
  const options = { encoding: 'utf8', env: { PATH: at('bin'), ROOT: root.path } } as const;
  const { status, stdout, stderr } = spawnSync('/bin/sh', [at('script'), ...args], options);
  return { status, told: stdout + stderr };
}

const install = (before = ''): { status: number | null; told: string } => run('postinst', 'configure', before);

test('the first installation seals the secret, and starts the service immediately and at system start', () => {
  boot();
  expect(install()).toMatchObject({ status: 0, told: expect.stringContaining('a systemd credential') });
  expect(read(SECRET)).toBe('sealed\n');
  expect(read(DROP_IN)).toBe(
    `[Service]\nLoadCredentialEncrypted=sluice-secret:${at(SECRET)}\nEnvironment=SLUICE_SECRET_STORE=credential\n`,
  );
  expect(calls().filter((call) => call.startsWith('systemctl '))).toEqual([
    'systemctl enable --quiet sluice.service',
    'systemctl daemon-reload',
    'systemctl --quiet is-enabled sluice.service',
    'systemctl restart sluice.service',
  ]);
});

test('the secret is not sealed to the state of Secure Boot, which firmware updates change', () => {
  boot();
  install();
  expect(calls()).toContain('systemd-creds encrypt --tpm2-pcrs= --name=sluice-secret - -');
});

describe('the secret is written to a file next to the vault', () => {
  test.each([
    ['what was sealed cannot be opened here', () => writeFileSync(at('other-machine'), '')],
    [
      'the disk is full',
      () => {
        mkdirSync(at('etc/credstore.encrypted'));
        symlinkSync('/dev/full', at(`${SECRET}.new`));
      },
    ],
  ])('when %s', (_, arrange) => {
    boot();
    arrange();
    expect(install()).toMatchObject({ status: 0, told: expect.stringContaining('kept in a file') });
    expect(read(DROP_IN)).toBe('[Service]\nEnvironment=SLUICE_SECRET_STORE=file\n');
    expect(readdirSync(at('etc/credstore.encrypted'))).toEqual([]);
  });
});

describe('the installation into an image', () => {
  test('enables the service at system start without starting it', () => {
    expect(install().status).toBe(0);
    expect(calls().filter((call) => call.startsWith('systemctl '))).toEqual([
      'systemctl enable --quiet sluice.service',
    ]);
  });

  test('works without systemd', () => {
    for (const name of ['systemctl', 'systemd-creds']) rmSync(at(`bin/${name}`));
    expect(install().status).toBe(0);
  });
});

describe('the account of the service', () => {
  test('uses a group that an earlier purge could not remove', () => {
    writeFileSync(at('group'), 'sluice:x:990:technician\n');
    expect(install().status).toBe(0);
    expect(read('passwd')).toContain('sluice:x:');
  });

  test('is reported at installation and kept at the purge if a user has that name', () => {
    writeFileSync(at('passwd'), 'sluice:x:1000:1000::/home/sluice:/bin/bash\n');
    expect(install()).toMatchObject({ status: 0, told: expect.stringContaining('home /home/sluice') });
    run('postrm', 'purge');
    expect(read('passwd')).toContain('/home/sluice');
  });
});

describe('a service', () => {
  const restarts = (): number => calls().filter((call) => call === 'systemctl restart sluice.service').length;
  beforeEach(boot);

  test('that was removed serves again after it is reinstalled', () => {
    install();
    run('prerm', 'remove');
    run('postrm', 'remove');
    expect(install('1.0.4').status).toBe(0);
    expect(restarts()).toBe(2);
  });

  test('that an administrator disabled stays disabled after an update', () => {
    install();
    writeFileSync(at('calls'), '');
    spawnSync(at('bin/systemctl'), ['disable', 'sluice.service'], { env: { PATH: at('bin'), ROOT: root.path } });
    run('prerm', 'upgrade', '1.0.5');
    expect(install('1.0.4').status).toBe(0);
    expect(restarts()).toBe(0);
  });

  test.each(['abort-upgrade', 'abort-remove', 'abort-deconfigure'])('serves again after %s', (why) => {
    install();
    run('prerm', 'upgrade', '1.0.5');
    expect(run('postinst', why, '1.0.5').status).toBe(0);
    expect(restarts()).toBe(2);
  });

  test.each(['masked', 'stuck'])('that is %s does not leave the package half installed', (state) => {
    writeFileSync(at(state), '');
    expect(install().status).toBe(0);
    expect(run('prerm', 'remove').status).toBe(0);
    expect(run('postrm', 'remove').status).toBe(0);
    expect(run('postrm', 'purge').status).toBe(0);
  });
});

test('an interrupted installation is completed by the next one', () => {
  boot();
  mkdirSync(at('etc/systemd/system/sluice.service.d'), { recursive: true });
  mkdirSync(at('etc/credstore.encrypted'));
  for (const half of [`${DROP_IN}.new`, `${SECRET}.new`, SECRET]) writeFileSync(at(half), 'half');
  expect(install().status).toBe(0);
  expect(read(SECRET)).toBe('sealed\n');
  expect(read(DROP_IN)).toContain('credential\n');
});

test('a purge leaves nothing, even after interrupted installations', () => {
  boot();
  install();
  writeFileSync(at(`${DROP_IN}.new`), '');
  writeFileSync(at(`${SECRET}.new`), '');
  mkdirSync(at(`${DATA}/journal`));
  for (const step of ['remove', 'purge']) expect(run('postrm', step).status).toBe(0);
  const left = readdirSync(root.path, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('sluice'));
  expect(left).toEqual([]);
  expect(read('passwd')).toBe('');
});
