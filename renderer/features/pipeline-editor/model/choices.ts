import type { KindManifest } from '#common/control/messages.ts';
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

/** The order in which categories stand; those of third parties come after, as they are called. */
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

/** A mode that takes messages in and calls out is no route. */
function categoryOfMode({ category, modes }: KindManifest, mode: string): string {
  return category === 'http' && modes?.[mode]?.input === true ? 'calls' : category;
}

/** Names of a project's things, and rights, which an example made up: left out, so that a person decides. */
const LEFT_OUT = new Set(['query', 'script', 'connection', 'requiredScopes']);

/**
 * The settings of a new node: the first example of its kind and mode, except values that are the default. Headers of an
 * example are not copied.
 */
export function startSettings({ kind, mode }: Choice, draft: Draft | null = null): Settings {
  const example = examplesOf(kind).find((settings) => mode === null || settings['mode'] === mode) ?? {};
  const fields = fieldsOf(kind.settings, mode);
  const kept = Object.entries(example).filter(
    ([name]) => name !== 'mode' && !LEFT_OUT.has(name) && (PLAIN.has(name) || !hasDefault(fields[name])),
  );
  const settings = Object.fromEntries(kept.map(([name, value]) => [name, name === 'staticHeaders' ? {} : value]));
  const route = draft !== null && kind.id === 'rest-api' && mode === 'ingress' && { urlPattern: freePath(draft) };
  return structuredClone(mode === null ? settings : { mode, ...settings, ...route });
}

/** After the pipeline, whose id no other of the project has, so that a new route meets no other by itself. */
function freePath({ id, nodes }: Draft): string {
  const taken = new Set(nodes.map(({ settings }) => settings['urlPattern']));
  const paths = [`/api/v1/${id}`, ...nodes.map((_, index) => `/api/v1/${id}-${index + 2}`)];
  return paths.find((path) => !taken.has(path)) ?? `/api/v1/${id}`;
}

/** Stored although they have defaults, because the node's card shows the method and path of the route. */
const PLAIN = new Set(['method', 'urlPattern']);

/** Whether a wire from another node can lead into it. */
export function takesInput(choice: Choice, kinds: Kinds): boolean {
  return portsOf({ kind: choice.kind.id, settings: startSettings(choice) }, kinds).input;
}

export function givesOutput(choice: Choice, kinds: Kinds): boolean {
  return portsOf({ kind: choice.kind.id, settings: startSettings(choice) }, kinds).outs.length > 0;
}

function examplesOf({ examples }: KindManifest): Settings[] {
  return examples.flatMap((example) =>
    isRecord(example) && isRecord(example['settings']) ? [example['settings']] : [],
  );
}

/** A settings schema with modes is a choice of several, each with its constant. */
function fieldsOf(schema: unknown, mode: string | null): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  const variants = ['oneOf', 'anyOf'].flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
  const own = [schema, ...variants]
    .filter(isRecord)
    .map(({ properties }) => properties)
    .filter(isRecord);
  return own.find((properties) => mode === null || constOf(properties['mode']) === mode) ?? {};
}

function hasDefault(property: unknown): boolean {
  return isRecord(property) && 'default' in property;
}

function constOf(property: unknown): unknown {
  if (!isRecord(property)) return undefined;
  return Array.isArray(property['enum']) ? property['enum'][0] : property['const'];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
