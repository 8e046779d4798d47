import type { KindManifest } from '#common/control/messages.ts';
import { readForm } from '#ui/form/schema.ts';
import type { JsonSchema } from '#ui/form/schema-types.ts';
import type { Draft, Settings } from './draft.ts';
import { portsOf, type Kinds } from './ports.ts';

/** The entries of the palette: a kind, or one mode of a kind whose mode determines its ports. */
export interface Choice {
  kind: KindManifest;
  /** Null: the kind has no modes. */
  mode: string | null;
  /** Where the palette shows it. */
  category: string;
}

/** The order of the categories; those of third-party kinds follow by name. */
const CATEGORIES = ['http', 'flow', 'plant', 'database', 'data', 'script', 'calls', 'diagnostics'];

export function choicesOf(kinds: Kinds): Choice[] {
  return [...kinds.values()].flatMap((kind): Choice[] => {
    const modes = Object.keys(kind.modes ?? {});
    if (modes.length === 0) return [{ kind, mode: null, category: kind.category }];
    return modes.map((mode) => ({ kind, mode, category: categoryOfMode(kind, mode) }));
  });
}

export function choiceId({ kind, mode }: Choice): string {
  return mode === null ? kind.id : `${kind.id} ${mode}`;
}

export function byCategory(choices: readonly Choice[]): [string, Choice[]][] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) groups.set(choice.category, [...(groups.get(choice.category) ?? []), choice]);
  const rank = (category: string) => (CATEGORIES.indexOf(category) + CATEGORIES.length + 1) % (CATEGORIES.length + 1);
  return [...groups].toSorted(([a], [b]) => order(a, rank) - order(b, rank) || a.localeCompare(b));
}

function order(category: string, rank: (category: string) => number): number {
  return CATEGORIES.includes(category) ? rank(category) : CATEGORIES.length + 1;
}

/** A mode with an input that makes calls is not a route. */
function categoryOfMode({ category, modes }: KindManifest, mode: string): string {
  return category === 'http' && modes?.[mode]?.input === true ? 'calls' : category;
}

/**
 * The settings of a new node: its mode, the address of a route, and nothing else that the author has to decide.
 * Examples are placeholders in the form (`sampleSettings`).
 */
export function startSettings({ kind, mode }: Choice, draft: Draft | null = null): Settings {
  const { properties = {}, required = [] } = schemaOf(kind.settings, mode);
  const empty = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    const start = required.includes(name) ? emptyOf(field) : undefined;
    return start === undefined ? [] : [[name, start]];
  });
  const settings = { ...(mode !== null && { mode }), ...Object.fromEntries(empty) };
  if (kind.id !== 'rest-api' || mode !== 'ingress') return settings;
  // Explicit although they have defaults: a route without method and address shows nothing on its card.
  const route = { method: 'POST', urlPattern: draft === null ? '/' : freePath(draft) };
  return { ...settings, ...route };
}

/** A valid empty list or object; code that changes nothing. */
function emptyOf(field: JsonSchema): unknown {
  if (field.control === 'javascript') return 'export default (msg) => msg.payload\n';
  if (field.type === 'array' && field.minItems === undefined) return [];
  return field.type === 'object' && typeof field.additionalProperties === 'object' ? {} : undefined;
}

/** Settings of the first example of the kind and mode. */
export function sampleSettings({ examples }: KindManifest, mode: string | null): Settings {
  const samples = examples.flatMap((example) =>
    isRecord(example) && isRecord(example['settings']) ? [example['settings']] : [],
  );
  return samples.find((settings) => mode === null || settings['mode'] === mode) ?? {};
}

/** Named after the pipeline, whose ID is unique in the project, so that a new route does not conflict with others. */
function freePath({ id, nodes }: Draft): string {
  const taken = new Set(nodes.map(({ settings }) => settings['urlPattern']));
  const paths = [`/api/v1/${id}`, ...nodes.map((_, index) => `/api/v1/${id}-${index + 2}`)];
  return paths.find((path) => !taken.has(path)) ?? `/api/v1/${id}`;
}

/** Whether a wire from another node can lead into it. */
export function takesInput(choice: Choice, kinds: Kinds): boolean {
  return portsOf({ kind: choice.kind.id, settings: startSettings(choice) }, kinds).input;
}

export function givesOutput(choice: Choice, kinds: Kinds): boolean {
  return portsOf({ kind: choice.kind.id, settings: startSettings(choice) }, kinds).outs.length > 0;
}

/** A settings schema with modes is a union, each branch with its constant. */
function schemaOf(settings: unknown, mode: string | null): JsonSchema {
  const form = readForm(settings);
  return form.variants.find(({ value }) => mode === null || value === mode)?.schema ?? {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
