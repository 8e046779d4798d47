import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '#test/paths.ts';
import { until } from '#test/until.ts';
import type { Act } from './electron.ts';

/** The desktop app with the stub of Electron (electron.ts), in a separate process. */
export interface StandInShell {
  readonly child: ChildProcess;
  /** The calls with that name, in order: `[name, …values]`. */
  named(call: string): unknown[][];
  readonly calls: unknown[][];
  /** Its standard error so far. */
  errors(): string;
  act(what: Act): void;
  /** The address of the window. */
  readonly ui: string;
}

export const START_MS_MAX = 30_000;

/** Starts it in `folder` (data in `data`), and waits for its window. It has a tray, as reported by `dbus-send`. */
export async function startShell(folder: string): Promise<StandInShell> {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'dbus-send'), '#!/bin/sh\necho "   boolean true"\n');
  await chmod(join(folder, 'bin', 'dbus-send'), 0o755);
  const start = join(ROOT, 'test/desktop/stand-in/start.ts');
  const flags = ['--data', join(folder, 'data'), '--gateway-port', '0', '--ui-port', '0', '--secret-store', 'file'];
  const child = spawn(process.execPath, [start, join(ROOT, 'main/desktop.ts'), ...flags], {
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const calls: unknown[][] = [];
  let errors = '';
  child.stderr?.on('data', (text) => (errors += String(text)));
  if (child.stdout !== null)
    createInterface(child.stdout).on('line', (line) => calls.push(JSON.parse(line) as unknown[]));
  const named = (call: string): unknown[][] => calls.filter(([name]) => name === call);
  await until('the window opens', () => named('load').length > 0, { timeoutMs: START_MS_MAX });
  // Until the set-up is done, the address carries the token in its fragment.
  const ui = String(named('load')[0]?.[1]).replace(/#.*$/, '');
  return { child, calls, named, ui, errors: () => errors, act: (what) => void child.send(what) };
}
