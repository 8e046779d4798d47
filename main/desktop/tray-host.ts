import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Whether this desktop shows tray icons. Windows and macOS do. On Linux, Electron creates an icon without knowing
 * whether it is shown, so the session bus is queried for the program that shows them (StatusNotifierItem
 * specification). No bus, no `dbus-send` and no response all count as "unknown".
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
