import { activePart } from '#common/model/active-part.ts';
import type { Draft, DraftNode } from '../model/draft.ts';
import type { Kinds } from '../model/ports.ts';
import { egressOrigin, isEgress } from './problems.ts';

/** The effects of a test outside the pipeline, because it runs for real. */
export interface Write {
  what: 'database' | 'tag' | 'variable' | 'file' | 'message' | 'call' | 'script' | 'other';
  /** Where to: a connection, a tag, a host. */
  where: string;
}

/** Every write that a message from `entry` can come to, each place once, in the order of the nodes. */
export function writesOf(draft: Draft, entry: string, kinds: Kinds): Write[] {
  const part = activePart(draft);
  const reached = reachedFrom(part, entry);
  const writes = part.nodes.filter((node) => reached.has(node.id)).flatMap((node) => writeOf(node, kinds) ?? []);
  return [...new Map(writes.map((write) => [`${write.what} ${write.where}`, write])).values()];
}

function reachedFrom({ wires }: Draft, entry: string): Set<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const { from, to } of wires) if (from === id) open.push(to);
  }
  return found;
}

const OWN_DATABASE = 'embedded';

function writeOf(node: DraftNode, kinds: Kinds): Write | null {
  const text = (name: string) => (typeof node.settings[name] === 'string' ? node.settings[name] : node.id);
  switch (node.kind) {
    case 'sql':
    case 'transaction':
    case 'stored-procedure':
      return { what: 'database', where: node.settings['connection'] === undefined ? OWN_DATABASE : text('connection') };
    case 'tag-write':
      return { what: 'tag', where: tagsOf(node) };
    case 'variable-write':
      return { what: 'variable', where: text('name') };
    case 'file-write':
      return { what: 'file', where: text('path') };
    case 'message-out':
      return { what: 'message', where: text('channel') };
    case 'script':
      return { what: 'script', where: text('script') };
    case 'rest-api':
      return isEgress(node) ? { what: 'call', where: hostOf(node) } : null;
    default:
      return isUnknownWriter(node, kinds) ? { what: 'other', where: node.name ?? node.id } : null;
  }
}

function tagsOf({ id, settings: { writes } }: DraftNode): string {
  const list = Array.isArray(writes) ? writes : [];
  const tags = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : null));
  const named = tags.filter((tag) => typeof tag === 'string');
  return named.length === 0 ? id : named.join(', ');
}

function hostOf(node: DraftNode): string {
  const origin = egressOrigin(node);
  return origin === null ? node.id : new URL(origin).host;
}

/** Kinds of plugins: by the scopes that they declare. One that is missing may do anything. */
function isUnknownWriter({ kind }: DraftNode, kinds: Kinds): boolean {
  const manifest = kinds.get(kind);
  return (
    manifest === undefined || manifest.scopes.some((scope) => scope.endsWith(':write') || scope.endsWith(':execute'))
  );
}
