import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFiles, readLaunch, wordsOf } from './launch.ts';

const ENTRY = resolve('/app/main/desktop.ts');

describe('the arguments of the command line', () => {
  test('are all but the program in a package', () => {
    expect(wordsOf(['/opt/sluice', '--demo'], true, ENTRY)).toEqual(['--demo']);
  });

  test('follow the entry in a checkout, whatever arguments Electron got before', () => {
    expect(wordsOf(['electron', '--inspect=0', '--no-sandbox', ENTRY, '--demo'], false, ENTRY)).toEqual(['--demo']);
    expect(wordsOf(['electron', 'main/other.ts', '--demo'], false, ENTRY)).toEqual(['--demo']);
  });
});

describe('a launch', () => {
  const launch = (...words: string[]) => readLaunch(words, {}, '/home/op');

  test('accepts the flags of serve, and project files', () => {
    const { options, background, files } = launch('--background', '--ui-port', '0', 'a.sluice.json', '/b.SLUICE.json');
    expect(options.overrides).toEqual({ uiPort: 0 });
    expect(background).toBe(true);
    expect(files).toEqual([resolve('/home/op/a.sluice.json'), '/b.SLUICE.json']);
    expect(launch().background).toBe(false);
  });

  test('accepts a file as a Linux desktop passes it, as a URL', () => {
    const { files } = launch(
      'file:///media/usb/line%20%C3%A4.sluice.json',
      'file://nas/b.sluice.json',
      'c.sluice.json',
    );
    expect(files).toEqual(['/media/usb/line ä.sluice.json', '/home/op/c.sluice.json']);
  });

  test.each([
    '--remote-debugging-port=9222',
    '--disable-web-security',
    '--ignore-certificate-errors',
    '--load-extension=/tmp/x',
    '--inspect=0',
    '--js-flags=--allow-natives-syntax',
    'a-file.txt',
  ])('%s is refused', (word) => {
    expect(() => launch(word)).toThrow(/is not a flag|is not expected/);
  });

  test('--no-sandbox is refused with an alternative', () => {
    expect(() => launch('--no-sandbox')).toThrow('does not run without its sandbox');
  });
});

test('reads only project files from a second start, up to a limit', () => {
  const words = ['sluice', '--original-process-start-time=1', 'x.sluice.json', '--y.sluice.json', 'notes.txt'];
  expect(projectFiles(words, '/tmp')).toEqual([resolve('/tmp/x.sluice.json')]);
  expect(
    projectFiles(
      Array.from({ length: 99 }, (_, i) => `${i}.sluice.json`),
      '/',
    ),
  ).toHaveLength(16);
});
