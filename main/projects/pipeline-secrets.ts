import { createHash } from 'node:crypto';
import { readEgressUrl } from '#common/model/egress-settings.ts';
import type { PipelineStart } from '#common/control/messages.ts';
import type { PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import { withoutCredentials } from '#common/model/saved-test.ts';
import type { HeldSecret, SecretVault, StoredPipeline, StoredRevisionOf } from '../contracts.ts';
import { isSet } from './connection-secrets.ts';

/**
 * The secrets of a pipeline's egress nodes (docs/spec/egress.md#secrets): the values of `staticHeaders`, and `tls.key`.
 * The vault stores them, each revision has references to them beside its definition, and the definition itself has null
 * in their places. Code that is not aware of secrets therefore shows and sends none.
 *
 * The rule that prevents a value from being sent to another host: a reference belongs to a revision, a node and a
 * field, and is set in only two ways.
 * - A save with `{ "set": true }` takes it over from the newest revision, from the same node and field, if scheme,
 *   host, port and the trusted authorities (`tls.ca`) are the same as there.
 * - A restore uses a complete revision: its references with its own URLs. In any case, a value is therefore only used
 *   with the target for which it was entered.
 */
export interface SecretPlan {
  /** The definition with null in every place of a secret. */
  definition: PipelineDefinition;
  kept: HeldSecret[];
  /** Values to be stored. */
  fresh: SecretPlace[];
  /** Places that should have been kept but are cleared, because the node calls another target now. */
  cleared: SecretPlace[];
  /** Places that should be kept although nothing is stored. */
  missing: SecretPlace[];
}

/** The place of a secret in a definition, and the value there. */
export interface SecretPlace {
  node: string;
  /** `staticHeaders.Authorization` or `tls.key`. */
  field: string;
  /** Dotted, from the root of the definition. */
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

/** The same for a draft from a file, which has no secrets: each stored value is kept if the node's target is the same. */
export function planFileSecrets(
  draft: PipelineDefinition,
  before: Before,
  vault: Pick<SecretVault, 'has'>,
): SecretPlan {
  const held = heldIn(before?.secrets ?? []);
  const keeping = withSecrets(draft, (place) => {
    const ref = held.get(keyOf(place));
    return ref !== undefined && vault.has(ref) ? { set: true } : null;
  });
  return planPipelineSecrets(keeping, before, vault);
}

/**
 * As it may be read: for a secret only whether it exists and its version; one that an older vault has lost does not
 * exist.
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
 * Different for each value of a secret. Every entered value gets its own reference, even the same value again, so the
 * version depends only on the reference and reveals nothing about the value.
 */
function versionOf(ref: string): string {
  return createHash('sha256').update(ref).digest('hex').slice(0, VERSION_CHARS);
}
const VERSION_CHARS = 16;

/** For the gateway only, with unencrypted values; null if there is none, which makes a start fail. */
export function clearStart(
  { project, revision, definition, secrets }: StoredRevisionOf & Pick<PipelineStart, 'project' | 'revision'>,
  vault: Pick<SecretVault, 'read'>,
): PipelineStart {
  const held = heldIn(secrets);
  const valueOf = (place: SecretPlace): string | null => {
    const ref = held.get(keyOf(place));
    return ref === undefined ? null : vault.read(ref);
  };
  return { project, revision, definition: withSecrets(asRun(definition), valueOf) };
}

/** An unsaved draft, for the gateway only: the entered values, and those that a save over `before` would keep. */
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
  return { project, revision, definition: withSecrets(asRun(draft), valueOf) };
}

/** Saved tests, notes and groups are for authors: the gateway does not get them. */
function asRun({ tests: _tests, notes: _notes, groups: _groups, ...run }: PipelineDefinition): PipelineDefinition {
  return run;
}

/** With null in every place of a secret. */
export function bare(definition: PipelineDefinition): PipelineDefinition {
  return withSecrets(definition, () => null);
}

/** Every place of a definition that can contain a secret, with its value. */
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

/** Header names are case-insensitive; the ID of a node contains no line break. */
function keyOf({ node, field }: { node: string; field: string }): string {
  return `${node}\n${field.toLowerCase()}`;
}

/** The nodes whose secrets have the same receiver as before. */
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

/**
 * The only function that knows the places of secrets; of the rest, only credentials in saved tests are changed. Tests
 * that an earlier release stored may contain some.
 */
function withSecrets(definition: PipelineDefinition, valueOf: (place: SecretPlace) => unknown): PipelineDefinition {
  const nodes = definition.nodes.map((node, index) => {
    const { id, kind, settings } = node;
    if (!isEgress(kind, settings)) return node;
    const put = (field: string, value: unknown): unknown =>
      valueOf({ node: id, field, path: `nodes.${index}.settings.${field}`, value });
    return { ...node, settings: { ...settings, ...headersPart(settings, put), ...tlsPart(settings, put) } };
  });
  const { tests } = definition;
  return { ...definition, nodes, ...(tests !== undefined && { tests: tests.map(withoutCredentials) }) };
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
