import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SetupTurn } from './setup-commands.ts';

test('one set-up runs at a time, until its process has ended or reports its end', () => {
  const turn = new SetupTurn();
  turn.take(process.ppid);
  turn.take(process.ppid);
  expect(() => turn.take(process.pid)).toThrow(`Another "sluice setup" (process ${process.ppid}) is in progress`);
  turn.end();
  turn.take(spawnSync(process.execPath, ['--version']).pid);
  expect(() => turn.take(process.pid)).not.toThrow();
});
