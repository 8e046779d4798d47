import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipped } from '#test/skipped.ts';
import { tempDir } from '#test/temp-dir.ts';
import { LINUX_FILES } from './deb.ts';

/** systemd itself parses the unit; a run under systemd is tested manually (test/package/deb-in-root.ts). */
const analyze = '/usr/bin/systemd-analyze';
const missing = existsSync(analyze) ? null : 'needs systemd-analyze';
const unit = readFileSync(join(LINUX_FILES, 'sluice.service'), 'utf8');

test.skipIf(missing !== null)(`systemd accepts every line of the unit${skipped(missing)}`, async () => {
  await using folder = await tempDir('sluice-unit-');
  const file = join(folder.path, 'sluice.service');
  // The command must exist; it is not installed on this machine.
  writeFileSync(file, unit.replace('/usr/bin/sluice', process.execPath));
  expect(analyzed('verify', '--man=no', '--recursive-errors=no', file)).toBe('');
});

test.skipIf(missing !== null)(`systemd rates its exposure at most 2.0 of 10${skipped(missing)}`, async () => {
  await using folder = await tempDir('sluice-unit-');
  writeFileSync(join(folder.path, 'sluice.service'), unit);
  const told = analyzed('security', '--offline=true', '--no-pager', join(folder.path, 'sluice.service'));
  const exposure = Number(/Overall exposure level for sluice.service: ([\d.]+)/.exec(told)?.[1]);
  expect(exposure).toBeLessThanOrEqual(2);
});

test('the stop timeout of the service is longer than that of its gateway', () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  // The time that main/supervisor allows: 10 s for its callers, 12 s for its files.
  expect(seconds).toBeGreaterThan(10 + 12 + 5);
});

test('a frozen host is replaced within 30 s, but later than a silent gateway', () => {
  const seconds = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(unit)?.[1]);
  // The time that main/supervisor allows a silent gateway.
  expect(seconds('WatchdogSec')).toBeGreaterThan(10);
  // The rest is for the start.
  expect(seconds('WatchdogSec') + seconds('RestartSec')).toBeLessThanOrEqual(20);
});

test.each(['postinst', 'prerm', 'postrm', 'sluice.sh'])('sh can parse %s', (name) => {
  expect(() => execFileSync('/bin/sh', ['-n', join(LINUX_FILES, name)])).not.toThrow();
});

test('no signal opens a debugger in a packaged host', () => {
  const starter = readFileSync(join(LINUX_FILES, 'sluice.sh'), 'utf8');
  expect(starter).toMatch(/^exec .*\/node" --disable-sigusr1 /m);
});

test('programs cannot read the memory of other programs of the same user', () => {
  const calls = [...unit.matchAll(/^SystemCallFilter=~(.*)$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(calls).toEqual(expect.arrayContaining(['@debug', 'process_vm_readv', 'process_vm_writev']));
});

function analyzed(...args: string[]): string {
  return execFileSync('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', analyze, ...args], { encoding: 'utf8' });
}
