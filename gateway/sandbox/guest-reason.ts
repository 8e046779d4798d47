import { ERROR_CHARS_MAX } from './limits.ts';

/** The message of QuickJS when its memory is full. */
const OUT_OF_MEMORY = 'out of memory';
/** How QuickJS refuses an import when no loader is installed. */
const NO_MODULE = 'could not load module';

export interface GuestReason {
  /** Null when the guest's memory is full. */
  readonly text: string | null;
  /** The capability call that failed. */
  readonly cause: number | null;
  /** Whether the guest has made calls that must still be fetched. */
  readonly calls: boolean;
}

/**
 * One short line about an error in a guest: its message and the line of the script's code, never the stack. The input
 * is the prelude's description, which a guest may have forged: in any case, the result is only a short printable text.
 */
export function guestReason(description: string, fileName: string): GuestReason {
  const { name, message, stack, cause, calls } = read(description);
  const line = lineIn(stack, fileName);
  const text = printable(textOf(name, message)).slice(0, ERROR_CHARS_MAX) + (line === null ? '' : ` (line ${line})`);
  return { text: name === 'InternalError' && message === OUT_OF_MEMORY ? null : text, cause, calls };
}

function textOf(name: string, message: string): string {
  if (message.startsWith(NO_MODULE)) return 'scripts cannot import anything';
  return message || name || 'it threw an error without a message';
}

/** The first frame in the script's own code; QuickJS writes `at name (script:3:7)`. */
function lineIn(stack: string, fileName: string): number | null {
  const match = new RegExp(`[ (]${fileName}:(\\d{1,7})`).exec(stack);
  return match === null ? null : Number(match[1]);
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function read(description: string): {
  name: string;
  message: string;
  stack: string;
  cause: number | null;
  calls: boolean;
} {
  const list: unknown = JSON.parse(description);
  const [name, message, stack, cause, calls]: unknown[] = Array.isArray(list) ? list : [];
  return {
    name: asText(name),
    message: asText(message),
    stack: asText(stack),
    cause: typeof cause === 'number' ? cause : null,
    calls: calls === true,
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
