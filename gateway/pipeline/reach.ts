import { ERROR_PORT } from './graph.ts';
import type { ReadNode } from './read.ts';

type Nodes = ReadonlyMap<string, ReadNode>;

/** Every node that a message entering at one of `starts` can reach, including those. */
export function reachable(starts: readonly string[], nodes: Nodes): ReadNode[] {
  const seen = new Set<string>(starts);
  const found: ReadNode[] = [];
  for (const id of seen) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    found.push(node);
    for (const targets of node.outs.values()) for (const target of targets) seen.add(target);
  }
  return found;
}

export type Coverage = 'always' | 'sometimes' | 'never';

/**
 * Whether a message that enters at a node reaches an HTTP Response node: on every path, on some, or on none. Several
 * wires from one port count together: one reply is enough. An unwired `error` port counts as a reply, because the
 * caller immediately gets a 500. Cycles of wires are assumed to end.
 */
export function replyCoverage(nodes: Nodes): (start: string) => Coverage {
  const able = canReply([...nodes.values()]);
  const sure = surelyReplies([...nodes.values()], able);
  return (start) => {
    if (sure.has(start)) return 'always';
    return able.has(start) ? 'sometimes' : 'never';
  };
}

function replies(node: ReadNode): boolean {
  return node.kind.id === 'http-response';
}

/** The nodes from which an HTTP Response can be reached: grows until nothing is added. */
function canReply(nodes: readonly ReadNode[]): Set<string> {
  const able = new Set(nodes.filter(replies).map((node) => node.id));
  for (let before = -1; before !== able.size;) {
    before = able.size;
    for (const node of nodes) {
      if ([...node.outs.values()].some((targets) => targets.some((id) => able.has(id)))) able.add(node.id);
    }
  }
  return able;
}

/** The nodes from which every path replies: shrinks until nothing is removed. */
function surelyReplies(nodes: readonly ReadNode[], able: ReadonlySet<string>): Set<string> {
  const sure = new Set(able);
  for (let before = -1; before !== sure.size;) {
    before = sure.size;
    for (const node of nodes) if (!replies(node) && !everyPort(node, sure)) sure.delete(node.id);
  }
  return sure;
}

function everyPort(node: ReadNode, sure: ReadonlySet<string>): boolean {
  return node.ports.every((port) => {
    const targets = node.outs.get(port);
    if (targets === undefined) return port === ERROR_PORT;
    return targets.some((id) => sure.has(id));
  });
}
