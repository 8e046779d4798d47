import { ERROR_CHARS_MAX } from './limits.ts';

/** How QuickJS says that its memory is full. */
const OUT_OF_MEMORY = 'out of memory';
/** How QuickJS refuses an import when no loader is installed. */
const NO_MODULE = 'could not load module';

/**
 * One bounded line about an error in a guest: its message and the line of the script's code, never the stack; null
 * when the guest's memory is full. Takes the prelude's description, which a guest may have forged: whatever it says,
 * only a short printable text comes out.
 */
export function guestReason(description: string, fileName: string): string | null {
  const [name, message, stack] = texts(description);
  if (name === 'InternalError' && message === OUT_OF_MEMORY) return null;
  const line = lineIn(stack, fileName);
  return printable(textOf(name, message)).slice(0, ERROR_CHARS_MAX) + (line === null ? '' : ` (line ${line})`);
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

function texts(description: string): [name: string, message: string, stack: string] {
  const list: unknown = JSON.parse(description);
  const [name, message, stack]: unknown[] = Array.isArray(list) ? list : [];
  return [asText(name), asText(message), asText(stack)];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
