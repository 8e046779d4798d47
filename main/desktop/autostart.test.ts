import { describe, expect, test } from 'vitest';
import { autostartEntry, autostartFile, isAutostartOn, programFile, startAgain } from './autostart.ts';

test('the file is where the desktop environment looks for it', () => {
  expect(autostartFile({}, '/home/op')).toBe('/home/op/.config/autostart/sluice.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: '' }, '/home/op')).toBe('/home/op/.config/autostart/sluice.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: '/etc/op' }, '/home/op')).toBe('/etc/op/autostart/sluice.desktop');
});

test('an AppImage is started by its own file', () => {
  const image = { APPIMAGE: '/home/op/Sluice.AppImage', APPDIR: '/tmp/.mount_x' };
  expect(programFile(image, '/tmp/.mount_x/sluice')).toBe('/home/op/Sluice.AppImage');
  expect(programFile({ APPIMAGE: '', APPDIR: '' }, '/opt/Sluice/sluice')).toBe('/opt/Sluice/sluice');
  // Started from a terminal program that is itself an AppImage.
  expect(programFile(image, '/opt/Sluice/sluice')).toBe('/opt/Sluice/sluice');
});

test('after a failure the same program is started again, an AppImage unpacked by itself', () => {
  const words = ['--data', '/d'];
  expect(startAgain({}, '/opt/Sluice/sluice', words)).toEqual({ execPath: '/opt/Sluice/sluice', args: words });
  expect(
    startAgain({ APPIMAGE: '/home/op/S.AppImage', APPDIR: '/tmp/.mount_x' }, '/tmp/.mount_x/sluice', words),
  ).toEqual({
    execPath: '/home/op/S.AppImage',
    args: ['--appimage-extract-and-run', ...words],
  });
});

describe('the entry', () => {
  const exec = (program: string) => /^Exec=(.*)$/m.exec(autostartEntry(program, ['--background']))?.[1];

  test('starts the program without its window', () => {
    expect(exec('/opt/Sluice/sluice')).toBe('"/opt/Sluice/sluice" "--background"');
    expect(isAutostartOn(autostartEntry('/opt/Sluice/sluice', []))).toBe(true);
  });

  test.each([
    ['/opt/My Line/sluice', '"/opt/My Line/sluice"'],
    ['/opt/100%/sluice', '"/opt/100%%/sluice"'],
    ['/opt/$HOME/sluice', String.raw`"/opt/\\$HOME/sluice"`],
    ['/opt/`id`/sluice', '"/opt/\\\\`id\\\\`/sluice"'],
    ['/opt/a"b/sluice', String.raw`"/opt/a\\"b/sluice"`],
    ['/opt/a\\b/sluice', String.raw`"/opt/a\\\\b/sluice"`],
  ])('%s is one word, of which nothing is executed', (program, word) => {
    expect(exec(program)).toBe(`${word} "--background"`);
  });

  test('a path with a line feed, which would be a second entry, is refused', () => {
    expect(() => autostartEntry('/opt/a\nExec=evil', [])).toThrow('control character');
  });
});

test.each([
  [null, false],
  ['[Desktop Entry]\nExec=x\nHidden=true\n', false],
  ['[Desktop Entry]\nExec=x\nX-GNOME-Autostart-enabled=false\n', false],
  ['[Desktop Entry]\nExec=x\nHidden=false\n', true],
])('a file %j is on: %s', (text, on) => {
  expect(isAutostartOn(text)).toBe(on);
});
