import { z } from 'zod';

/**
 * The TypeScript type of a Zod schema, derived from its JSON Schema. Schemas with an ID become interfaces, collected in
 * `named`. Arbitrary JSON is `any` in values that a script receives and `unknown` in values that it passes.
 */
export class TypeText {
  /** The full text of each interface, by its name. */
  readonly named = new Map<string, string>();

  /** Types of values that a script passes. */
  input(schema: z.ZodType): TypeNode {
    return this.#read(schema, 'input');
  }

  /** Types of values that a script receives. */
  output(schema: z.ZodType): TypeNode {
    return this.#read(schema, 'output');
  }

  print(node: TypeNode, any: 'any' | 'unknown'): string {
    if (node.$ref !== undefined) return node.$ref.slice(node.$ref.lastIndexOf('/') + 1);
    if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (node.anyOf !== undefined) return node.anyOf.map((one) => this.print(one, any)).join(' | ');
    const { type } = node;
    if (isUnion(type)) return type.map((one) => this.print({ ...node, type: one }, any)).join(' | ');
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return this.#list(node.items ?? {}, any);
      case 'object':
        return this.#object(node, any);
      default:
        return any;
    }
  }

  #list(items: TypeNode, any: 'any' | 'unknown'): string {
    const text = this.print(items, any);
    const union = items.enum !== undefined || items.anyOf !== undefined || isUnion(items.type);
    return union ? `(${text})[]` : `${text}[]`;
  }

  #object(node: TypeNode, any: 'any' | 'unknown'): string {
    const members = Object.entries(node.properties ?? {});
    if (members.length > 0) return `{ ${members.map((member) => this.member(node, member, any)).join('; ')} }`;
    const { additionalProperties: values } = node;
    const value = typeof values === 'object' ? this.print(values, any) : any;
    return `Record<string, ${value}>`;
  }

  member(owner: TypeNode, [name, type]: readonly [string, TypeNode], any: 'any' | 'unknown'): string {
    const optional = owner.required?.includes(name) === true ? '' : '?';
    return `${name}${optional}: ${this.print(type, any)}`;
  }

  #read(schema: z.ZodType, io: 'input' | 'output'): TypeNode {
    const { $defs = {}, ...node } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as TypeNode;
    for (const [name, definition] of Object.entries($defs)) this.#name(name, definition);
    return node;
  }

  #name(name: string, node: TypeNode): void {
    const members = Object.entries(node.properties ?? {}).map((member) => `  ${this.member(node, member, 'any')};\n`);
    this.named.set(name, `${docComment(node.description)}interface ${name} {\n${members.join('')}}\n`);
  }
}

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

function isUnion(type: TypeNode['type']): type is readonly TypeName[] {
  return Array.isArray(type);
}

/** The subset of JSON Schema that the schemas of the calls use. */
export interface TypeNode {
  readonly type?: TypeName | readonly TypeName[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, TypeNode>>;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TypeNode[];
  readonly items?: TypeNode;
  readonly properties?: Readonly<Record<string, TypeNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypeNode | boolean;
  readonly description?: string;
  readonly default?: unknown;
}

/** Ends with a line break; '' if there is nothing to document. */
export function docComment(text: string | undefined, indent = ''): string {
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  if (lines.length === 0) return '';
  // The text must not close the comment.
  const safe = lines.map((line) => line.replaceAll('*/', '*\u200b/'));
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
