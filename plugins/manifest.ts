import type { KindManifest } from '#common/control/messages.ts';
import { type NodeKind, takesInput, z } from '#sdk';

/**
 * A kind for host and UI. Input, ports and scopes are those that it has with any settings; ports that depend on
 * settings (of `switch`) are in the settings, those that depend on the setting `mode` in `modes`. `settings` is the
 * JSON Schema of the accepted input.
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
    ...(kind.inputFor !== undefined && { modes: modesOf(kind, read) }),
    plugin: null,
    settings: z.toJSONSchema(kind.settings, { io: 'input', unrepresentable: 'any' }),
    examples: [...kind.examples],
  };
}

type Modes = NonNullable<KindManifest['modes']>;

/** By the values of `mode` in the examples, which cover all of them. */
function modesOf(kind: NodeKind, examples: readonly unknown[]): Modes {
  const modes: Modes = {};
  for (const settings of examples) {
    const mode = modeOf(settings);
    const ports = [...(modes[mode]?.ports ?? []), ...kind.ports(settings)];
    modes[mode] = { input: takesInput(kind, settings), ports: [...new Set(ports)] };
  }
  return modes;
}

function modeOf(settings: unknown): string {
  return typeof settings === 'object' && settings !== null && 'mode' in settings ? String(settings.mode) : '';
}

/** The values that all lists contain. */
function common<T>(lists: readonly (readonly T[])[]): T[] {
  const [first = [], ...others] = lists;
  return first.filter((entry) => others.every((list) => list.includes(entry)));
}
