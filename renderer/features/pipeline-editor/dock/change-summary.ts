import { routesOf } from '#ui/routes-of.ts';
import { differenceOf, type Difference, type FieldChange } from '../model/difference.ts';
import { sameValue } from '#ui/form/same-value.ts';
import { isStoredSecret, isValues } from '#ui/form/values.ts';
import { nameOf, type Draft, type DraftNode } from '../model/draft.ts';

/** The groups of changes, in the order of their report. */
export const GROUPS = ['routes', 'access', 'replies', 'grants', 'nodes', 'wires'] as const;
export type Group = (typeof GROUPS)[number];

/** A sentence about the difference: the name of a text, and its values. */
export interface ChangeLine {
  group: Group;
  code: ChangeCode;
  values: Record<string, string>;
}
export type ChangeCode =
  | 'routeAdded'
  | 'routeRemoved'
  | 'routeMoved'
  | 'madePublic'
  | 'madeKeyed'
  | 'scopesAdded'
  | 'scopesDropped'
  | 'addresses'
  | 'replyStatus'
  | 'replyBody'
  | 'grantsAdded'
  | 'grantsDropped'
  | 'runAsPipeline'
  | 'runAsCaller'
  | 'limitChanged'
  | 'limitNothing'
  | 'limitDropped'
  | 'rehearsalOn'
  | 'rehearsalOff'
  | 'renamedPipeline'
  | 'nodeAdded'
  | 'nodeDeleted'
  | 'nodeRenamed'
  | 'nodeOff'
  | 'nodeOn'
  | 'nodeKind'
  | 'settingValue'
  | 'settingSet'
  | 'secretNew'
  | 'setting'
  | 'wired'
  | 'unwired';

/** Null: nothing was running before, so only added routes are reported. */
export function changesBetween(before: Draft | null, after: Draft): ChangeLine[] {
  if (before === null) return inOrder(firstStart(after));
  const difference = differenceOf(before, after);
  return inOrder([
    ...difference.added.flatMap((node) => [...routeSentence(node, 'routeAdded'), say('nodes', 'nodeAdded', of(node))]),
    ...difference.deleted.flatMap((node) => [
      ...routeSentence(node, 'routeRemoved'),
      say('nodes', 'nodeDeleted', of(node)),
    ]),
    ...difference.edited.flatMap(editSentences),
    ...difference.pipeline.flatMap(pipelineSentences),
    ...wireSentences(difference, before, after),
  ]);
}

const inOrder = (sentences: readonly ChangeLine[]) =>
  sentences.toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));

const say = (group: Group, code: ChangeCode, values: Record<string, string>): ChangeLine => ({ group, code, values });
const of = (node: DraftNode) => ({ node: node.name ?? node.id });

function firstStart(after: Draft): ChangeLine[] {
  const empty = { name: after.name, runAs: 'caller' as const, grants: [], limits: {}, rehearsal: false };
  const { pipeline } = differenceOf({ ...after, ...empty }, after);
  return [...after.nodes.flatMap((node) => routeSentence(node, 'routeAdded')), ...pipeline.flatMap(pipelineSentences)];
}

const routeOf = (node: DraftNode) => routesOf({ ...NO_PIPELINE, nodes: [node] })[0];
const NO_PIPELINE: Draft = { id: 'none', name: '', runAs: 'caller', grants: [], nodes: [], wires: [] };
const routeText = ({ method, pattern }: { method: string; pattern: string }) => `${method} ${pattern}`;

function routeSentence(node: DraftNode, code: 'routeAdded' | 'routeRemoved'): ChangeLine[] {
  const route = routeOf(node);
  if (route === undefined) return [];
  const sentences = [say('routes', code, { route: routeText(route) })];
  return code === 'routeAdded' && route.isPublic
    ? [...sentences, say('access', 'madePublic', { route: routeText(route) })]
    : sentences;
}

function editSentences({ node, before, changes }: Difference['edited'][number]): ChangeLine[] {
  const route = routeChanges(before, node);
  return [
    ...route.sentences,
    ...changes.filter(({ field }) => !route.fields.has(field)).flatMap((change) => settingSentences(node, change)),
  ];
}

const ROUTE_FIELDS = ['mode', 'method', 'urlPattern', 'authType', 'requiredScopes', 'allowedIps'];

/** The changes of a node's route, and the fields that they cover. */
function routeChanges(before: DraftNode, after: DraftNode): { sentences: ChangeLine[]; fields: Set<string> } {
  const [old, now] = [routeOf(before), routeOf(after)];
  if (old === undefined && now === undefined) return { sentences: [], fields: new Set() };
  if (old === undefined) return { sentences: routeSentence(after, 'routeAdded'), fields: new Set() };
  if (now === undefined) return { sentences: routeSentence(before, 'routeRemoved'), fields: new Set() };
  const route = routeText(now);
  const moved = routeText(old) !== route;
  const added = now.scopes.filter((scope) => !old.scopes.includes(scope));
  const dropped = old.scopes.filter((scope) => !now.scopes.includes(scope));
  const [from, to] = [addresses(before), addresses(after)];
  const sentences = [
    ...(moved ? [say('routes', 'routeMoved', { from: routeText(old), to: route })] : []),
    ...(old.isPublic === now.isPublic ? [] : [say('access', now.isPublic ? 'madePublic' : 'madeKeyed', { route })]),
    ...(added.length > 0 ? [say('access', 'scopesAdded', { route, scopes: added.join(', ') })] : []),
    ...(dropped.length > 0 ? [say('access', 'scopesDropped', { route, scopes: dropped.join(', ') })] : []),
    ...(from === to ? [] : [say('access', 'addresses', { route, from, to })]),
  ];
  return { sentences, fields: new Set(ROUTE_FIELDS) };
}

function addresses({ settings }: DraftNode): string {
  const list = settings['allowedIps'];
  const names = Array.isArray(list) ? list.map(String) : typeof list === 'string' ? list.split(',') : ['any'];
  return names.map((name) => name.trim()).join(', ');
}

/** A secret is named, but its value never shown; other changes of the same setting are reported as well. */
function settingSentences(node: DraftNode, change: FieldChange): ChangeLine[] {
  const secrets = newSecrets(change);
  const secretLines = secrets.map((field) => say('nodes', 'secretNew', { ...of(node), field }));
  const without = (value: unknown) => (isValues(value) ? omit(value, secrets) : value);
  const isRest = secrets.length === 0 || !sameValue(without(change.before), without(change.after));
  return isRest ? [...secretLines, fieldSentence(node, change)] : secretLines;
}

/** Header values and the TLS key of calls to other servers. */
const SECRET_FIELDS: readonly string[] = ['staticHeaders', 'tls'];

/** The names in such a setting whose stored value was replaced. */
function newSecrets({ field, before, after }: FieldChange): string[] {
  if (!SECRET_FIELDS.includes(field) || !isValues(before) || !isValues(after)) return [];
  const isHeld = (value: unknown) => isStoredSecret(value) || (field === 'staticHeaders' && typeof value === 'string');
  return Object.keys(after).filter(
    (name) => isStoredSecret(before[name]) && isHeld(after[name]) && !sameValue(before[name], after[name]),
  );
}

function omit(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function fieldSentence(node: DraftNode, { field, before, after }: FieldChange): ChangeLine {
  const group = node.kind === 'http-response' ? 'replies' : 'nodes';
  const values = of(node);
  if (field === 'name') return say('nodes', 'nodeRenamed', { from: short(before) ?? node.id, to: values.node });
  if (field === 'off') return say('nodes', after === true ? 'nodeOff' : 'nodeOn', values);
  if (field === 'kind') return say('nodes', 'nodeKind', { ...values, from: String(before), to: String(after) });
  if (group === 'replies' && field === 'body') return say(group, 'replyBody', values);
  const [from, to] = [short(before), short(after)];
  if (group === 'replies' && field === 'status')
    return say(group, 'replyStatus', { ...values, from: from ?? '200', to: to ?? '200' });
  if (to !== null && before === undefined) return say(group, 'settingSet', { ...values, field, to });
  if (from === null || to === null) return say(group, 'setting', { ...values, field });
  return say(group, 'settingValue', { ...values, field, from, to });
}

const SHORT_CHARS_MAX = 40;

/** Null: too long for a sentence, or empty. */
function short(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value);
  return text.length <= SHORT_CHARS_MAX && !text.includes('\n') ? text : null;
}

function pipelineSentences({ field, before, after }: FieldChange): ChangeLine[] {
  if (field === 'name') return [say('nodes', 'renamedPipeline', { from: String(before), to: String(after) })];
  if (field === 'runAs') return [say('grants', after === 'pipeline' ? 'runAsPipeline' : 'runAsCaller', {})];
  if (field === 'limits') return limitSentences(before, after);
  if (field === 'rehearsal') return [say('grants', after === true ? 'rehearsalOn' : 'rehearsalOff', {})];
  const [old, now] = [names(before), names(after)];
  const added = now.filter((name) => !old.includes(name));
  const dropped = old.filter((name) => !now.includes(name));
  return [
    ...(added.length > 0 ? [say('grants', 'grantsAdded', { scopes: added.join(', ') })] : []),
    ...(dropped.length > 0 ? [say('grants', 'grantsDropped', { scopes: dropped.join(', ') })] : []),
  ];
}

/** One sentence for each list that differs. */
function limitSentences(before: unknown, after: unknown): ChangeLine[] {
  const [old, now] = [listsOf(before), listsOf(after)];
  const lists = [...new Set([...old.keys(), ...now.keys()])].filter((list) => old.get(list) !== now.get(list));
  return lists.map((list) => {
    const entries = now.get(list);
    if (entries === undefined) return say('grants', 'limitDropped', { list });
    return say('grants', entries === '' ? 'limitNothing' : 'limitChanged', { list, entries });
  });
}

const listsOf = (limits: unknown): Map<string, string> =>
  new Map(Object.entries(limits ?? {}).map(([list, entries]) => [list, names(entries).join(', ')]));

const names = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A wire that was deleted with its node is not reported separately. */
function wireSentences({ wired, unwired, deleted }: Difference, before: Draft, after: Draft): ChangeLine[] {
  const isGone = (id: string) => deleted.some((node) => node.id === id);
  return [
    ...wired.map(({ from, port, to }) =>
      say('wires', 'wired', { from: nameOf(after, from), port, to: nameOf(after, to) }),
    ),
    ...unwired
      .filter(({ from, to }) => !isGone(from) && !isGone(to))
      .map(({ from, port, to }) =>
        say('wires', 'unwired', { from: nameOf(before, from), port, to: nameOf(before, to) }),
      ),
  ];
}

/** Nodes whose settings differ, for a side-by-side view. */
export interface NodePair {
  id: string;
  name: string;
  before: DraftNode | null;
  after: DraftNode | null;
}

export function changedNodes(before: Draft, after: Draft): NodePair[] {
  const { added, deleted, edited } = differenceOf(before, after);
  const pair = (one: DraftNode, old: DraftNode | null, now: DraftNode | null): NodePair => ({
    id: one.id,
    name: one.name ?? one.id,
    before: old,
    after: now,
  });
  return [
    ...edited.map(({ node, before: old }) => pair(node, old, node)),
    ...added.map((node) => pair(node, null, node)),
    ...deleted.map((node) => pair(node, node, null)),
  ].filter(({ before: old, after: now }) => !sameValue(old, now));
}
