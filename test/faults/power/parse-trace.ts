/**
 * Reads what `strace -f -xx` wrote: one system call a line, or two where another thread came between (`<unfinished
 * ...>`, `<... resumed>`). Strings are in hexadecimal, so that no byte of theirs can be taken for punctuation.
 */
export interface TracedCall {
  readonly name: string;
  /** As written, split at the commas outside brackets. */
  readonly args: readonly string[];
  /** The result of the call, or NaN if the process ended in it. */
  readonly result: number;
  /** Lines of the trace: between them the call took effect. */
  readonly began: number;
  readonly ended: number;
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\w+|\?)/;
const BEGIN = /^(\d+) +(\w+)\((.*?),? *<unfinished \.\.\.>$/;
const END = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\w+|\?)/;
/** Signals and ends of threads. */
const NO_CALL = /^\d+ +(?:---|\+\+\+)/;

/** In the order in which they ended. Throws at an unknown line: nothing is skipped silently. */
export function parseTrace(text: string): TracedCall[] {
  const calls: TracedCall[] = [];
  const begun = new Map<string, { name: string; args: string; began: number }>();
  for (const [line, words] of text.split('\n').entries()) {
    if (words === '' || NO_CALL.test(words)) continue;
    // Checks the end first: lines of megabytes take long.
    const [, thread = '', name = '', args = ''] = (words.endsWith('<unfinished ...>') && BEGIN.exec(words)) || [];
    if (name !== '') {
      begun.set(thread, { name, args, began: line });
      continue;
    }
    calls.push(wholeCall(words, line) ?? resumedCall(words, line, begun));
  }
  return calls;
}

function wholeCall(words: string, line: number): TracedCall | null {
  const match = WHOLE.exec(words);
  if (match === null) return null;
  const [, , name = '', args = '', result = ''] = match;
  return { name, args: splitArgs(args), result: Number(result), began: line, ended: line };
}

function resumedCall(
  words: string,
  line: number,
  begun: Map<string, { name: string; args: string; began: number }>,
): TracedCall {
  const [, thread = '', name = '', rest = '', result = ''] = END.exec(words) ?? [];
  const start = begun.get(thread);
  begun.delete(thread);
  if (start?.name !== name) throw new Error(`line ${line + 1} of the trace: ${words.slice(0, 200)}`);
  const args = rest.replace(/^, */, '');
  const all = [start.args, args].filter((part) => part !== '').join(', ');
  return { name, args: splitArgs(all), result: Number(result), began: start.began, ended: line };
}

function splitArgs(args: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < args.length; at++) {
    const letter = args[at];
    if (letter === '[' || letter === '{' || letter === '(') depth += 1;
    else if (letter === ']' || letter === '}' || letter === ')') depth -= 1;
    else if (letter === ',' && depth === 0) {
      parts.push(args.slice(from, at).trim());
      from = at + 1;
    } else if (letter === '"') at = args.indexOf('"', at + 1);
  }
  if (from < args.length) parts.push(args.slice(from).trim());
  return parts;
}

/** The bytes of a string argument. Throws if strace has truncated it. */
export function bytesOf(arg: string | undefined): Buffer {
  const text = arg?.startsWith('"') && arg.endsWith('"') ? arg.slice(1, -1) : '?';
  const bytes = Buffer.from(text.replaceAll('\\x', ''), 'hex');
  if (bytes.length * 4 !== text.length) throw new Error(`not a whole string in the trace: ${arg?.slice(0, 100)}`);
  return bytes;
}

/** The bytes of all pieces of a vector argument (`writev` and similar calls). */
export function vectorBytes(arg: string | undefined): Buffer {
  const pieces = [...(arg ?? '').matchAll(/iov_base=("[^"]*"\.{0,3})/g)];
  return Buffer.concat(pieces.map((piece) => bytesOf(piece[1])));
}
