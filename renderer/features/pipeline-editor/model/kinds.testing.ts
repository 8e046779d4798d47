import type { KindManifest } from '#common/control/messages.ts';
import { wireOf } from '#common/model/wire-text.ts';
import type { Draft, DraftNode } from './draft.ts';
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

/** A node whose place does not matter. */
export function nodeOf(id: string, kind: string, settings: DraftNode['settings'] = {}): DraftNode {
  return nodeAt(`${kind}:${id}`, 0, 0, settings);
}

/** `validate` or `validate:check`: a kind, and its ID if that differs. */
export function nodeAt(words: string, x: number, y: number, settings: DraftNode['settings'] = {}): DraftNode {
  const [kind = '', id = kind] = words.split(':');
  return { id, kind, position: { x, y }, settings };
}
