import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { filesOf } from './tree-files.ts';
import { OPTIONAL_PACKAGES } from './unused-packages.ts';

/** Electron's own module exists only inside it. */
const GIVEN = new Set(['electron']);

export interface MissingImport {
  file: string;
  name: string;
}

/**
 * Imports in a tree's own code (`app/`) that cannot be resolved inside the tree. Names that are built at run time
 * cannot be detected; the product has none.
 */
export function missingImports(folder: string): MissingImport[] {
  const root = realpathSync(folder);
  const code = filesOf(root).filter(({ path }) => path.startsWith('app/') && path.endsWith('.js'));
  return code.flatMap(({ path }) => {
    const names = new Set(askedBy(parseAst(readFileSync(join(root, path), 'utf8'))));
    return [...names].filter((name) => !isAnswered(name, join(root, path), root)).map((name) => ({ file: path, name }));
  });
}

/** Throws with the missing imports. */
export function refuseMissingImports(folder: string): void {
  const missing = missingImports(folder);
  if (missing.length === 0) return;
  const named = missing.slice(0, 10).map(({ file, name }) => `${name} (in ${file})`);
  throw new Error(`The package asks for ${missing.length} modules that it does not have: ${named.join(', ')}`);
}

/** The names in imports, `require` calls and `new URL('./…', import.meta.url)` below this node of the syntax tree. */
function askedBy(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(askedBy);
  if (!isNode(node)) return [];
  const own = nameIn(node);
  return [...(own === null ? [] : [own]), ...Object.values(node).flatMap(askedBy)];
}

type SyntaxNode = Readonly<Record<string, unknown>>;

function nameIn(node: SyntaxNode): string | null {
  switch (node['type']) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return literal(node['source']);
    case 'CallExpression':
      return /^(__)?require$|^import\.meta\.resolve$/.test(calleeOf(node)) ? firstArgument(node) : null;
    case 'NewExpression': {
      const path = calleeOf(node) === 'URL' ? firstArgument(node) : null;
      return path?.startsWith('.') ? path : null;
    }
    default:
      return null;
  }
}

function calleeOf({ callee }: SyntaxNode): string {
  if (!isNode(callee)) return '';
  if (callee['type'] === 'Identifier') return String(callee['name']);
  const { object, property } = callee;
  const isMeta = isNode(object) && object['type'] === 'MetaProperty';
  return isMeta && isNode(property) ? `import.meta.${String(property['name'])}` : '';
}

function firstArgument(node: SyntaxNode): string | null {
  return Array.isArray(node['arguments']) ? literal(node['arguments'][0]) : null;
}

/** A constant text: 'x', "x", or `x` without substitutions. */
function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node['type'] === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  const [only, ...more] = node['type'] === 'TemplateLiteral' && Array.isArray(node['quasis']) ? node['quasis'] : [];
  return isNode(only) && more.length === 0 && isNode(only['value']) ? String(only['value']['cooked']) : null;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null;
}

function isAnswered(name: string, file: string, root: string): boolean {
  if (isBuiltin(name) || GIVEN.has(name) || OPTIONAL_PACKAGES.has(name)) return true;
  if (name.startsWith('.')) return existsSync(join(dirname(file), name));
  const target = packageFile(name, root);
  return target !== null && existsSync(target);
}

/** The file that an import of a package in the tree's own `node_modules` loads; null if there is no such package. */
function packageFile(name: string, root: string): string | null {
  const [, owner = '', rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)(.*)$/.exec(name) ?? [];
  const folder = join(root, 'node_modules', owner);
  if (!existsSync(join(folder, 'package.json'))) return null;
  const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as SyntaxNode;
  const path = exports === undefined ? (main ?? 'index.js') : chosen(isNode(exports) ? exports[`.${rest}`] : exports);
  return typeof path === 'string' ? join(folder, path) : null;
}

/** The branch of `exports` that an import in Node uses. */
function chosen(entry: unknown): unknown {
  return isNode(entry) ? chosen(entry['import'] ?? entry['node'] ?? entry['default']) : entry;
}
