import { type CallDeclaration, CALLS } from './calls.ts';
import { docComment, type TypeNode, TypeText } from './type-text.ts';

/** A copy of the type in `common/model/message.ts`; a test compares the two. */
const MESSAGE = `/** What travels along the wires of a pipeline. */
interface ScriptMessage {
  readonly payload: any;
  /** Null in a run that no request began. */
  readonly request: ScriptRequest | null;
  /** Null without an API key. */
  readonly caller: ScriptCaller | null;
  /** Only on a message that left a node by its error port. */
  readonly error?: { readonly node: string; readonly code: string; readonly message: string };
}
interface ScriptRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly ip: string;
  /** RFC 3339, UTC. */
  readonly receivedAt: string;
}
interface ScriptCaller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}
`;

/**
 * TypeScript declarations of everything that a script can use, for completions in the editor: the capability calls as
 * globals (docs/spec/capabilities.md#calls), generated from their declarations, and the type of the message. `plugin`:
 * includes the calls that only third-party kinds have.
 */
export function scriptTypes({ plugin = false }: { plugin?: boolean } = {}): string {
  const types = new TypeText();
  const families = new Map<string, string[]>();
  const alone: string[] = [];
  for (const [name, call] of Object.entries(CALLS) as [string, CallDeclaration][]) {
    if (call.pluginsOnly === true && !plugin) continue;
    const [family = name, member] = name.split('.');
    if (member === undefined) alone.push(callText(types, call, `declare function ${name}`, ''));
    else families.set(family, [...(families.get(family) ?? []), callText(types, call, member, '  ')]);
  }
  const globals = [...families].map(([name, members]) => `declare const ${name}: {\n${members.join('')}};\n`);
  return [MESSAGE, ...types.named.values(), ...globals, ...alone].join('\n');
}

function callText(types: TypeText, call: CallDeclaration, head: string, indent: string): string {
  const args = types.input(call.args);
  const returns = `Promise<${types.print(types.output(call.returns), 'any')}>`;
  const params = Object.entries(args.properties ?? {});
  const comment = docComment([call.summary, ...scopeText(call), ...params.map(paramText)].join('\n'), indent);
  const member = ([name, type]: readonly [string, TypeNode]): string => types.member(args, [name, type], 'unknown');
  const positional = `${comment}${indent}${head}(${params.map(member).join(', ')}): ${returns};\n`;
  if (params.length < 2) return positional;
  return `${positional}${comment}${indent}${head}(args: { ${params.map(member).join('; ')} }): ${returns};\n`;
}

function paramText([name, { description = '', default: preset }]: readonly [string, TypeNode]): string {
  const text = [description, preset === undefined ? '' : `${JSON.stringify(preset)} unless given.`].filter(Boolean);
  return text.length === 0 ? '' : `@param ${name} ${text.join(' ')}`;
}

function scopeText({ scope }: CallDeclaration): string[] {
  return scope === null ? [] : [`Needs the scope ${scope}.`];
}
