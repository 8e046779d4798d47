import { isStoredSecret, isValues } from '#ui/form/values.ts';
import { nodeOf, type Draft, type Settings } from './draft.ts';

/**
 * The places of secrets in a node: the values of `staticHeaders`, and `tls.key`. A stored one is `{ "set": true }`, an
 * entered one is a text until it is saved, and null means none.
 */
export function withSecrets(settings: Settings, valueOf: (value: unknown, place: string) => unknown): Settings {
  const { staticHeaders, tls } = settings;
  const headers = isValues(staticHeaders) && {
    staticHeaders: Object.fromEntries(
      Object.entries(staticHeaders).map(([name, value]) => [name, valueOf(value, `header ${name.toLowerCase()}`)]),
    ),
  };
  const key = isValues(tls) && 'key' in tls && { tls: { ...tls, key: valueOf(tls['key'], 'tls key') } };
  return { ...settings, ...headers, ...key };
}

/**
 * A draft that can be saved over `stored`. Undo restores that a secret was set, but not the secret itself: if a save in
 * between removed it (its node was deleted, or its target changed), it is missing and must be typed again.
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
