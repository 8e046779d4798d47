import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { app } from 'electron';
import { replaceFile } from '#common/node/atomic-file.ts';
import { autostartEntry, autostartFile, isAutostartOn, programFile } from './autostart.ts';
import { BACKGROUND } from './launch.ts';

/** Whether Sluice starts when this user logs in to the PC. Null: a checkout, which has no program to start. */
export async function startsWithPc(): Promise<boolean | null> {
  if (!app.isPackaged) return null;
  if (process.platform !== 'linux') return app.getLoginItemSettings({ args: [BACKGROUND] }).openAtLogin;
  return isAutostartOn(await readFile(linuxFile(), 'utf8').catch(() => null));
}

/** Rejects if the file of a Linux desktop cannot be written. */
export async function startWithPc(on: boolean): Promise<void> {
  if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: on, args: [BACKGROUND] });
  const file = linuxFile();
  if (!on) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, Buffer.from(autostartEntry(programFile(process.env, process.execPath), [BACKGROUND])));
}

function linuxFile(): string {
  return autostartFile(process.env, homedir());
}
