import { createHash } from 'node:crypto';
import { readEgressUrl } from '#common/model/egress-settings.ts';
import type { PipelineStart } from '#common/control/messages.ts';
import type { PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import type { HeldSecret, SecretVault, StoredPipeline, StoredRevisionOf } from '../contracts.ts';
import { isSet } from './connection-secrets.ts';

/**
 * The secrets of a pipeline's egress nodes (docs/spec/egress.md#secrets): the values of `staticHeaders`, and `tls.key`.
 * The vault holds them, each revision has references to them beside its definition, and the definition itself has null
 * in their places. Code that does not know about secrets therefore shows and sends none.
 *
 * The rule that keeps a value from travelling to another host: a reference belongs to a revision, a node and a field,
 * and is set in only two ways.
 * - A save with `{ "set": true }` takes it over from the newest revision, from the same node and field, if scheme,
 *   host, port and the trusted authorities (`tls.ca`) are the same as there.
 * - A restore takes a whole revision: its references with its own URLs.
 * Whatever happens in between, a value is therefore only used with the target that it was entered for.
 */
export interface SecretPlan {
  /** The definition with null in every place of a secret. */
  definition: PipelineDefinition;
  kept: HeldSecret[];
  /** Values to be stored. */
  fresh: SecretPlace[];
  /** Places that were to be kept and are not, because the node calls elsewhere now. */
  cleared: SecretPlace[];
  /** Places that were to be kept where nothing is stored. */
  missing: SecretPlace[];
}

/** The place of a secret in a definition, and the value there. */
export interface SecretPlace {
  node: string;
  /** `staticHeaders.Authorization` or `tls.key`. */
  field: string;
  /** Dotted, from the definition's root. */
  path: string;
  value: unknown;
}

type Before = StoredRevisionOf | null;

/** Decides which secrets of a draft are kept when it is saved over `before`. */
export function planPipelineSecrets(
  draft: PipelineDefinition,
  before: Before,
  vault: Pick<SecretVault, 'has'>,
): SecretPlan {
  const plan: SecretPlan = { definition: bare(draft), kept: [], fresh: [], cleared: [], missing: [] };
  const held = heldIn(before?.secrets ?? []);
  const same = sameTargets(draft, before?.definition ?? null);
  for (const place of secretPlacesOf(draft)) {
    const { node, field, value } = place;
    if (typeof value === 'string') plan.fresh.push(place);
    if (!isSet(value)) continue;
    const ref = held.get(keyOf(place));
    if (ref === undefined || !vault.has(ref)) plan.missing.push(place);
    else if (same.has(node)) plan.kept.push({ node, field, ref });
    else plan.cleared.push(place);
  }
  return plan;
}

/**
 * As it may be read: of a secret only whether it is there and which version it is; one that an older vault has lost is
 * not there.
 */
export function shownDefinition(
  { definition, secrets }: StoredRevisionOf,
  vault: Pick<SecretVault, 'has'>,
): PipelineDefinition {
  const held = heldIn(secrets);
  return withSecrets(definition, (place) => {
    const ref = held.get(keyOf(place));
    return ref !== undefined && vault.has(ref) ? { set: true, version: versionOf(ref) } : null;
  });
}

/**
 * Another one for each value of a secret. Every value that is typed gets a reference of its own, even the same one
 * again, so the version depends on the reference alone and says nothing about the value.
 */
function versionOf(ref: string): string {
  return createHash('sha256').update(ref).digest('hex').slice(0, VERSION_CHARS);
}
const VERSION_CHARS = 16;

/** For the gateway alone, with values in clear; null where there is none, which a start refuses. */
export function clearStart(
  { project, revision, definition, secrets }: StoredRevisionOf & Pick<PipelineStart, 'project' | 'revision'>,
  vault: Pick<SecretVault, 'read'>,
): PipelineStart {
  const held = heldIn(secrets);
  const valueOf = (place: SecretPlace): string | null => {
    const ref = held.get(keyOf(place));
    return ref === undefined ? null : vault.read(ref);
  };
  return { project, revision, definition: withSecrets(withoutTests(definition), valueOf) };
}

/** A draft that is not saved, for the gateway alone: what was typed in, and what a save over `before` would keep. */
export function clearDraft(
  draft: PipelineDefinition,
  before: StoredPipeline,
  vault: Pick<SecretVault, 'has' | 'read'>,
): PipelineStart {
  const kept = heldIn(planPipelineSecrets(draft, before, vault).kept);
  const valueOf = (place: SecretPlace): unknown => {
    const ref = kept.get(keyOf(place));
    if (ref !== undefined) return vault.read(ref);
    return isSet(place.value) ? null : place.value;
  };
  const { project, revision } = before;
  return { project, revision, definition: withSecrets(withoutTests(draft), valueOf) };
}

/** Saved tests are for people: the gateway runs a test when it is sent one. */
function withoutTests({ tests: _tests, ...definition }: PipelineDefinition): PipelineDefinition {
  return definition;
}

/** With null in every place of a secret. */
export function bare(definition: PipelineDefinition): PipelineDefinition {
  return withSecrets(definition, () => null);
}

/** Every place of a definition that may hold a secret, with the value there. */
export function secretPlacesOf(definition: PipelineDefinition): SecretPlace[] {
  const places: SecretPlace[] = [];
  withSecrets(definition, (place) => {
    places.push(place);
    return null;
  });
  return places;
}

function heldIn(secrets: readonly HeldSecret[]): Map<string, string> {
  return new Map(secrets.map((secret) => [keyOf(secret), secret.ref]));
}

/** Header names are the same in any case; a node's id has no line break. */
function keyOf({ node, field }: { node: string; field: string }): string {
  return `${node}\n${field.toLowerCase()}`;
}

/** The nodes whose secrets go where the secrets of the same node went before. */
function sameTargets(draft: PipelineDefinition, before: PipelineDefinition | null): Set<string> {
  const old = new Map((before?.nodes ?? []).map((node) => [node.id, targetOf(node)]));
  const same = draft.nodes.filter((node) => {
    const target = targetOf(node);
    return target !== null && target === old.get(node.id);
  });
  return new Set(same.map(({ id }) => id));
}

/** The settings that determine the receiver of a node's secrets; null if there are none. */
function targetOf({ kind, settings }: PipelineNode): string | null {
  if (!isEgress(kind, settings)) return null;
  const url = typeof settings['url'] === 'string' ? readEgressUrl(settings['url']) : null;
  const tls = settings['tls'];
  return url === null ? null : JSON.stringify([url.origin, isRecord(tls) ? (tls['ca'] ?? null) : null]);
}

/** The one place that knows where secrets stand; everything else of the definition stays as it is. */
function withSecrets(definition: PipelineDefinition, valueOf: (place: SecretPlace) => unknown): PipelineDefinition {
  const nodes = definition.nodes.map((node, index) => {
    const { id, kind, settings } = node;
    if (!isEgress(kind, settings)) return node;
    const put = (field: string, value: unknown): unknown =>
      valueOf({ node: id, field, path: `nodes.${index}.settings.${field}`, value });
    return { ...node, settings: { ...settings, ...headersPart(settings, put), ...tlsPart(settings, put) } };
  });
  return { ...definition, nodes };
}

type Put = (field: string, value: unknown) => unknown;

function headersPart({ staticHeaders }: PipelineNode['settings'], put: Put): object {
  if (!isRecord(staticHeaders)) return {};
  const entries = Object.entries(staticHeaders).map(([name, value]) => [name, put(`staticHeaders.${name}`, value)]);
  return { staticHeaders: Object.fromEntries(entries) };
}

function tlsPart({ tls }: PipelineNode['settings'], put: Put): object {
  if (!isRecord(tls) || !Object.hasOwn(tls, 'key')) return {};
  return { tls: { ...tls, key: put('tls.key', tls['key']) } };
}

function isEgress(kind: string, settings: PipelineNode['settings']): boolean {
  return kind === 'rest-api' && settings['mode'] === 'egress';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
