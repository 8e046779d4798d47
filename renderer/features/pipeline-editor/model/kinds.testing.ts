import type { KindManifest } from '#common/control/messages.ts';
import type { Draft, DraftNode, DraftWire } from './draft.ts';
import type { Kinds } from './ports.ts';

/** A few kinds and drafts for tests of the editor's model. */
export function kindOf(id: string, more: Partial<KindManifest> = {}): KindManifest {
  return {
    id,
    version: '1.0.0',
    title: id,
    summary: '',
    category: 'flow',
    input: true,
    ports: ['out'],
    scopes: [],
    plugin: null,
    settings: {},
    examples: [],
    ...more,
  };
}

export const KINDS: Kinds = new Map(
  [
    kindOf('log'),
    kindOf('timer', { input: false }),
    kindOf('reply', { ports: [], category: 'http' }),
    kindOf('validate', { ports: ['out', 'invalid'] }),
    kindOf('switch', { ports: ['otherwise'] }),
    kindOf('rest-api', {
      category: 'http',
      input: false,
      ports: [],
      modes: { ingress: { input: false, ports: ['out'] }, egress: { input: true, ports: ['response', 'queued'] } },
    }),
  ].map((kind) => [kind.id, kind]),
);

export function draftOf(nodes: readonly (DraftNode | string)[], wires: readonly string[] = []): Draft {
  return {
    id: 'orders',
    name: 'Orders',
    runAs: 'caller',
    grants: [],
    nodes: nodes.map((node, index) => (typeof node === 'string' ? nodeAt(node, index * 280, 0) : node)),
    wires: wires.map(wireOf),
  };
}

/** `validate` or `validate:check`: a kind, and its ID if that differs. */
export function nodeAt(words: string, x: number, y: number, settings: DraftNode['settings'] = {}): DraftNode {
  const [kind = '', id = kind] = words.split(':');
  return { id, kind, position: { x, y }, settings };
}

/** `check out log`. */
export function wireOf(words: string): DraftWire {
  const [from = '', port = '', to = ''] = words.split(' ');
  return { from, port, to };
}
