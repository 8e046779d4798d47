import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../cli/arguments.ts';
import { PlainError } from '../cli/plain-error.ts';
import { type Environment, SERVE_FLAGS, serveOptions, type ServeOptions } from '../cli/options.ts';

/**
 * The arguments of the desktop app: the flags of `serve`, `--background` (no window at first: started with the PC), and
 * project files that were opened with it.
 *
 * Security: any other flag is refused, including Chromium's own, so that an edited shortcut cannot turn off its sandbox
 * or its checks. (`--no-sandbox` acts before this is read, but then nothing is shown and nothing is served.)
 */
export const BACKGROUND = '--background';
export const PROJECT_FILE = '.sluice.json';
const FILES_MAX = 16;
/** The flag of an AppImage on systems where ordinary users cannot create a sandbox. */
const NO_SANDBOX =
  'The window does not run without its sandbox, which this system lets no ordinary user make; install the .deb package, allow user namespaces, or run Sluice as a service and use a browser';

export interface Launch {
  options: ServeOptions;
  background: boolean;
  /** Absolute paths. */
  files: string[];
}

const FLAGS = { ...SERVE_FLAGS, background: { help: 'start without opening the window' } };

/** `words`: without the program and its entry. Throws PlainError. */
export function readLaunch(words: readonly string[], environment: Environment, folder: string): Launch {
  const rest = words.filter((word) => !isProjectFile(word));
  if (rest.includes('--no-sandbox')) throw new PlainError(NO_SANDBOX);
  const args = readArguments('serve', rest, FLAGS, []);
  return {
    options: serveOptions(args, environment),
    background: args.flags.has('background'),
    files: projectFiles(words, folder),
  };
}

/** Also for the command line of a second start, to which Chromium adds its own arguments. */
export function projectFiles(words: readonly string[], folder: string): string[] {
  return words
    .filter(isProjectFile)
    .slice(0, FILES_MAX)
    .flatMap((word) => pathOf(word, folder) ?? []);
}

/** A Linux desktop passes files as URLs (`%U` in the package's .desktop file); null: on another machine. */
function pathOf(word: string, folder: string): string | null {
  if (!word.toLowerCase().startsWith('file:')) return resolve(folder, word);
  try {
    return fileURLToPath(word);
  } catch {
    return null;
  }
}

/** The arguments after Electron and, in a checkout, after the entry file. */
export function wordsOf(argv: readonly string[], packaged: boolean, entry: string): string[] {
  if (packaged) return argv.slice(1);
  const at = argv.findIndex((word) => resolve(word) === entry);
  return argv.slice(at === -1 ? 2 : at + 1);
}

function isProjectFile(word: string): boolean {
  return word.toLowerCase().endsWith(PROJECT_FILE) && !word.startsWith('-');
}
