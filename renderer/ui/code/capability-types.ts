/** A call for scripts, as declared by `GET /completions`. */
export interface CapabilityCall {
  /** `tags`; '' for a call without a family, such as `log`. */
  family: string;
  name: string;
  /** `(path: string): Promise<TagValue>` */
  signature: string;
  /** Names of its parameters; empty for a single object of them. */
  parameters: string[];
  doc: string;
}

const FAMILY = /^declare const (\w+): \{$/;
const MEMBER = /^\s+(\w+)(\(.*\): .*);$/;
const ALONE = /^declare function (\w+)(\(.*\): .*);$/;

/**
 * Parses TypeScript declarations in the form that Sluice generates; unknown ones are left out. A call with a second form,
 * with one object of all arguments, is read once, in its first form.
 */
export function readCapabilities(declarations: string): CapabilityCall[] {
  const calls: CapabilityCall[] = [];
  let family = '';
  let doc: string[] = [];
  for (const line of declarations.split('\n')) {
    family = FAMILY.exec(line)?.[1] ?? (line.startsWith('}') ? '' : family);
    const text = docLine(line);
    if (text !== null) doc.push(text);
    const [, name, signature] = (family === '' ? ALONE : MEMBER).exec(line) ?? [];
    const isKnown = calls.some((call) => call.family === family && call.name === name);
    if (name !== undefined && signature !== undefined && !isKnown)
      calls.push({ family, name, signature, parameters: parametersOf(signature), doc: doc.join('\n').trim() });
    if (text === null) doc = [];
  }
  return calls;
}

/** A line of a comment without its stars; null if it is not part of a comment. */
function docLine(line: string): string | null {
  const match = /^\s*\/?\*\*?\/?\s?(.*?)\s*(?:\*\/)?$/.exec(line);
  return match === null ? null : (match[1] ?? '');
}

const OPTIONAL = /\?$/;

function parametersOf(signature: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let part = '';
  for (const sign of signature) {
    if (')}]>'.includes(sign)) depth--;
    if (depth === 0 && sign === ')') break;
    if (depth === 1 && sign === ',') {
      names.push(part);
      part = '';
    } else if (depth >= 1) part += sign;
    if ('({[<'.includes(sign)) depth++;
  }
  return [...names, part]
    .map((one) => (one.split(':')[0] ?? '').trim())
    .filter((name) => name !== '' && !OPTIONAL.test(name));
}
