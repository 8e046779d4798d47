import { nodeOf, type Draft, type Settings } from './draft.ts';

/**
 * Where a node keeps secrets: the values of `staticHeaders`, and `tls.key`. One that is stored reads as
 * `{ "set": true }`, one that was typed in is a text until it is saved, and null is none.
 */
export function withSecrets(settings: Settings, valueOf: (value: unknown, place: string) => unknown): Settings {
  const { staticHeaders, tls } = settings;
  const headers = isRecord(staticHeaders) && {
    staticHeaders: Object.fromEntries(
      Object.entries(staticHeaders).map(([name, value]) => [name, valueOf(value, `header ${name.toLowerCase()}`)]),
    ),
  };
  const key = isRecord(tls) && 'key' in tls && { tls: { ...tls, key: valueOf(tls['key'], 'tls key') } };
  return { ...settings, ...headers, ...key };
}

export function isStoredSecret(value: unknown): boolean {
  return isRecord(value) && value['set'] === true;
}

/**
 * A draft as it can be saved over `stored`. Undo brings back that a secret was set, and not the secret: where a save in
 * between took it away (its node was deleted, or called elsewhere), there is none, and it is typed in anew.
 */
export function withoutLostSecrets(draft: Draft, stored: Draft): Draft {
  const nodes = draft.nodes.map((node) => {
    const held = storedPlaces(nodeOf(stored, node.id)?.settings ?? {});
    let isLost = false;
    const settings = withSecrets(node.settings, (value, place) => {
      if (!isStoredSecret(value) || held.has(place)) return value;
      isLost = true;
      return null;
    });
    return isLost ? { ...node, settings } : node;
  });
  return nodes.every((node, index) => node === draft.nodes[index]) ? draft : { ...draft, nodes };
}

function storedPlaces(settings: Settings): Set<string> {
  const places = new Set<string>();
  withSecrets(settings, (value, place) => {
    if (isStoredSecret(value)) places.add(place);
    return value;
  });
  return places;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
