import { expect, test } from 'vitest';
import { DESKTOP_ENTRIES, SERVICE_ENTRIES } from './entries.ts';
import { pointIntoPackage } from './started-by-path.ts';

const entries = { gateway: 'gateway/entry.ts', outbox: 'gateway/egress/outbox/thread.ts' };

test('a file started by its path is found next to the bundle, whatever folder its starter was in', () => {
  const fromHost = "fileURLToPath(new URL('../gateway/entry.ts', import.meta.url))";
  expect(pointIntoPackage(fromHost, 'main/host.ts', entries)).toBe(
    "fileURLToPath(new URL('./gateway.js', import.meta.url))",
  );
  const fromOutbox = "new Worker(new URL('./thread.ts', import.meta.url), {})";
  expect(pointIntoPackage(fromOutbox, 'gateway/egress/outbox/outbox.ts', entries)).toBe(
    "new Worker(new URL('./outbox.js', import.meta.url), {})",
  );
});

test('data files are next to app/, under their own names', () => {
  const code = 'new URL(`../../docs/samples/${name}.json`, import.meta.url)';
  expect(pointIntoPackage(code, 'main/projects/sample-files.ts', entries)).toBe(
    'new URL(`../docs/samples/${name}.json`, import.meta.url)',
  );
});

test('the documentation pages are with the other documents of a package', () => {
  expect(pointIntoPackage("new URL('../dist/docs', import.meta.url)", 'main/host.ts', entries)).toBe(
    "new URL('../share/doc/sluice/html', import.meta.url)",
  );
});

test.each([
  ['a file that the package does not have', "new URL('./other.ts', import.meta.url)"],
  ['a folder of the sources', "new URL('../docs/guides', import.meta.url)"],
  ['its own place', 'fileURLToPath(import.meta.url)'],
  ['its own folder', 'join(import.meta.dirname, name)'],
])('the build stops at %s', (_what, code) => {
  expect(() => pointIntoPackage(code, 'main/host.ts', entries)).toThrow('main/host.ts');
});

test('the desktop package has every process and thread of the service', () => {
  const { service, ...workers } = SERVICE_ENTRIES;
  expect(service).toBe('main/service.ts');
  expect(DESKTOP_ENTRIES).toEqual({ desktop: 'main/desktop.ts', ...workers });
});
