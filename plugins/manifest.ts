import type { KindManifest } from '#common/control/messages.ts';
import { type NodeKind, z } from '#sdk';

/**
 * A kind as host and UI know it. Ports and scopes are those that it has whatever its settings say; what comes with
 * settings (the ports of `switch`) is in the settings. `settings` is the JSON Schema of what may be sent.
 */
export function manifestOf(kind: NodeKind): KindManifest {
  const { id, version, title, summary, category, input } = kind;
  const read = kind.examples.map((example) => kind.settings.parse(example.settings));
  return {
    id,
    version,
    title,
    summary,
    category,
    input,
    ports: common(read.map((settings) => kind.ports(settings))),
    scopes: common(read.map((settings) => kind.scopes(settings))),
    plugin: null,
    settings: z.toJSONSchema(kind.settings, { io: 'input', unrepresentable: 'any' }),
    examples: [...kind.examples],
  };
}

/** What all lists hold. */
function common<T>(lists: readonly (readonly T[])[]): T[] {
  const [first = [], ...others] = lists;
  return first.filter((entry) => others.every((list) => list.includes(entry)));
}
