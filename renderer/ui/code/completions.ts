import {
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import type { CapabilityCall } from './capability-types.ts';

/** `detail`: shown beside it, such as its last value. */
export interface Word {
  label: string;
  detail?: string;
}

/** Suggests words from the owner of the field: whole paths such as `msg.payload.body`, `:name` of a query. */
export function wordSource(words: readonly (string | Word)[]): CompletionSource {
  const options = words.map((word): Completion => {
    const named = typeof word === 'string' ? { label: word } : word;
    return { ...named, type: 'variable', boost: 1 };
  });
  return (context) => offered(context, context.matchBefore(/:?[\w$][\w$.]*/), options, /^:?[\w$.]*$/);
}

/** Suggests `tags`, and after the dot `read(path)` with its description. */
export function capabilitySource(calls: readonly CapabilityCall[]): CompletionSource {
  const families = [...new Set(calls.map(({ family }) => family))].filter((family) => family !== '');
  const globals: Completion[] = [
    ...families.map((label): Completion => ({ label, type: 'namespace' })),
    ...calls.filter(({ family }) => family === '').map(callOption),
  ];
  const members = new Map(
    families.map((family) => [family, calls.filter((one) => one.family === family).map(callOption)]),
  );
  return (context) => {
    const member = context.matchBefore(/\b\w+\.\w*/);
    if (member === null) return offered(context, context.matchBefore(/[A-Za-z_$]\w*/), globals, /^\w*$/);
    const point = member.text.indexOf('.');
    const options = members.get(member.text.slice(0, point));
    if (options === undefined) return null;
    return { from: member.from + point + 1, options, validFor: /^\w*$/ };
  };
}

function offered(
  { explicit, pos }: CompletionContext,
  before: { from: number; text: string } | null,
  options: readonly Completion[],
  validFor: RegExp,
): CompletionResult | null {
  if (before === null && !explicit) return null;
  return { from: before?.from ?? pos, options, validFor };
}

function callOption({ name, signature, parameters, doc }: CapabilityCall): Completion {
  const places = parameters.map((parameter) => `\${${parameter}}`).join(', ');
  return snippetCompletion(`${name}(${places})`, { label: name, type: 'function', info: () => infoOf(signature, doc) });
}

/** Text beside the chosen call: its signature and description. */
function infoOf(signature: string, doc: string): HTMLElement {
  const box = document.createElement('div');
  const head = document.createElement('code');
  head.textContent = signature;
  const text = document.createElement('p');
  text.textContent = doc.replaceAll(/@param (\w+)/g, '$1:');
  box.append(head, text);
  return box;
}
