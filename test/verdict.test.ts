import { expect, test } from 'vitest';
import { crashedFiles } from './verdict.ts';

const POOL = '[vitest-pool]: Worker forks emitted error.';
const crash = (files: string) => ({
  message: POOL,
  cause: { message: `Worker exited unexpectedly with signal SIGSEGV during started state while running test ${files}` },
});

test('the files of a crashed process are read from the cause of the Vitest error', () => {
  expect(crashedFiles([crash('file /a/b.test.ts')])).toEqual(['/a/b.test.ts']);
  expect(crashedFiles([crash('files /a/b.test.ts, /a/c.test.ts')])).toEqual(['/a/b.test.ts', '/a/c.test.ts']);
});

test('an error that names no test file does not count as a crash of one', () => {
  const errors = [
    { message: 'boom' },
    { message: POOL, cause: { message: 'Worker exited unexpectedly with exit code 1 during started state' } },
    { message: POOL, cause: 'not an error' },
  ];
  expect(crashedFiles(errors)).toEqual([]);
});
