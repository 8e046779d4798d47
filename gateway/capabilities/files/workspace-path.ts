import { clip } from '#common/clip.ts';
import { type RuleSentence, stated } from '#common/errors/rules.ts';
import { NodeError } from '#sdk';

/**
 * Names of files in a workspace: only names with the same meaning on every system, so that a project can be moved and
 * no name is ever interpreted differently (as a device, a stream, a short name, a parent). Pure functions:
 * folder-handle.ts checks where names lead.
 */
export const DEPTH_MAX = 16;
export const NAME_BYTES_MAX = 255;
const SHOWN_CHARS_MAX = 80;
/** Prefix of files that are being written; callers cannot use it. */
export const OWN_PREFIX = '.sluice-';

/**
 * Control, invisible and direction characters, line separators, lone surrogates. Some systems ignore the characters of
 * category Cf.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNSEEN_ALL = new RegExp(UNSEEN, 'gu');
/** Reserved by Windows; a colon also ends a drive letter and begins a stream name. */
const RESERVED = /[<>:"|?*\\]/;
const SHORT_NAME = /~\d/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

/** The names in a path, outermost first. Throws NodeError `file_path_invalid`. */
export function pathNames(path: string): string[] {
  const names = path.split('/');
  if (names.length > DEPTH_MAX) throw invalid(`expected at most ${DEPTH_MAX} names`);
  for (const name of names) {
    const fault = nameFault(name, quoted(path));
    if (fault !== null) throw invalid(fault);
  }
  return names;
}

/** Like `pathNames`; '' is the workspace itself. */
export function folderNames(path: string): string[] {
  return path === '' ? [] : pathNames(path);
}

/** Two names that fold to the same text are one file on a system that ignores case or Unicode composition. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function nameFault(name: string, path: string): string | RuleSentence | null {
  if (name === '') return stated('file_slashes', { path });
  if (UNSEEN.test(name)) return stated('file_unseen', { path });
  if (RESERVED.test(name)) return stated('file_reserved', { path });
  if (/^ |[. ]$/.test(name)) return stated('file_ends', { path });
  if (SHORT_NAME.test(name)) return 'a "~" followed by a digit is the short form of another name on Windows';
  if (foldedName(name).startsWith(OWN_PREFIX)) return `names that begin with "${OWN_PREFIX}" are the gateway's own`;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return `expected names of at most ${NAME_BYTES_MAX} bytes`;
  return readAs(name.normalize('NFKC'), path);
}

/** The name that a system may use if it converts wide and composed letters to plain ones. */
function readAs(plain: string, path: string): string | RuleSentence | null {
  if (/[/\\]/.test(plain) || /^\.+$/.test(plain)) return 'it holds letters that some systems take for "/" or ".."';
  const [stem = ''] = plain.split('.');
  return DEVICE.test(stem.trim()) ? stated('file_device', { path }) : null;
}

export function invalid(fault: string | RuleSentence): NodeError {
  return new NodeError('file_path_invalid', fault);
}

/** A path for an error: clipped, and without characters that would break a line or a log. */
export function quoted(path: string): string {
  return `"${clip(path, SHOWN_CHARS_MAX).replace(UNSEEN_ALL, '?')}"`;
}
