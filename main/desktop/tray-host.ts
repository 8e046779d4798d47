import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Whether this desktop shows tray icons. Windows and macOS do. On Linux Electron makes an icon and never learns
 * whether anything shows it: so the session bus is asked for the program that would (StatusNotifierItem specification).
 * No bus, no `dbus-send` and no answer all mean: not that we know of.
 */
const ASK_MS_MAX = 2_000;
const QUESTION = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.DBus',
  '/org/freedesktop/DBus',
  'org.freedesktop.DBus.NameHasOwner',
  'string:org.kde.StatusNotifierWatcher',
];

export async function hasTray(platform: NodeJS.Platform, ask = askSessionBus): Promise<boolean> {
  if (platform === 'win32' || platform === 'darwin') return true;
  const answer = await ask().catch(() => '');
  return /^\s*boolean true\s*$/.test(answer);
}

export async function askSessionBus(): Promise<string> {
  const { stdout } = await promisify(execFile)('dbus-send', QUESTION, { timeout: ASK_MS_MAX });
  return stdout;
}
