import { join } from 'node:path';

/**
 * The XDG autostart file of Linux desktops (Desktop Entry Specification 1.5, Autostart Specification 0.5). Windows and
 * macOS have a call for it (`app.setLoginItemSettings`).
 */
export function autostartFile(environment: NodeJS.ProcessEnv, home: string): string {
  const config = environment['XDG_CONFIG_HOME'];
  return join(config === undefined || config === '' ? join(home, '.config') : config, 'autostart', 'sluice.desktop');
}

/**
 * The file that starts the program again: an AppImage itself, because the folder that it runs from (`APPDIR`) no longer
 * exists then. A program outside that folder was only started from an AppImage, such as by a terminal.
 */
export function programFile(environment: NodeJS.ProcessEnv, execPath: string): string {
  const { APPIMAGE: image = '', APPDIR: folder = '' } = environment;
  return image !== '' && folder !== '' && execPath.startsWith(`${folder}/`) ? image : execPath;
}

/**
 * How Electron restarts the program. The folder of an AppImage is removed with the process for which it was mounted,
 * and it cannot be mounted again in the meantime: it unpacks itself instead.
 */
export function startAgain(
  environment: NodeJS.ProcessEnv,
  execPath: string,
  words: readonly string[],
): { execPath: string; args: string[] } {
  const program = programFile(environment, execPath);
  return { execPath: program, args: [...(program === execPath ? [] : ['--appimage-extract-and-run']), ...words] };
}

/** Throws if a word contains a line feed or another control character, which the file format cannot represent. */
export function autostartEntry(program: string, args: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Sluice',
    'Comment=REST gateway of this factory line',
    `Exec=${[program, ...args].map(execWord).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Whether the content of such a file starts the program: a desktop can disable it with an entry. */
export function isAutostartOn(text: string | null): boolean {
  if (text === null) return false;
  return !/^\s*(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(text);
}

/** Quoted for the command line first, then for the file, whose strings have their own backslashes. */
function execWord(word: string): string {
  if (/[\0-\x1f\x7f]/.test(word)) throw new Error('the path of the program holds a control character');
  const quoted = `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
