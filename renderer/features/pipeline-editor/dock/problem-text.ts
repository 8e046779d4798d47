import type { TFunction } from 'i18next';
import { ruleText } from '#api/rule-text.ts';
import { routesOf } from '#ui/routes-of.ts';
import { fieldTitle } from '../form/field-title.ts';
import { missingText, paramText } from '../form/finding-words.ts';
import { nameOf, nodeOf, type Draft } from '../model/draft.ts';
import type { Kinds } from '../model/ports.ts';
import { scopeIn, settingOf, type Problem } from './problems.ts';

/** For the title of the field with a fault. */
export interface FieldNames {
  kinds: Kinds;
  text: (english: string) => string;
}

/** A problem as a sentence. Unknown ones are shown in the server's English. */
export function problemText(t: TFunction, draft: Draft, problem: Problem, names: FieldNames): string {
  const { message, code } = problem;
  const sentence = sentenceOf(problem);
  const values = { ...wordsOf(draft, problem) };
  switch (code) {
    case 'target_paused':
      return values.reason === ''
        ? t('editorDock.problem.targetPaused', values)
        : t('editorDock.problem.targetPausedWhy', values);
    case 'error_with_200':
      return t('editorDock.problem.errorWith200', { count: Number(problem.values['count']) });
    case 'port_unwired':
      return t('editorDock.problem.portUnwired', values);
    case 'route_clash':
      return clashText(t, draft, problem);
    case 'reply_missing':
      return message.startsWith('every')
        ? t('editorDock.problem.replyNever', values)
        : t('editorDock.problem.replyMissing', values);
    case 'public_route':
      return t('editorDock.problem.publicRoute', values);
    case 'sensitive_header':
      return t('editorDock.problem.sensitiveHeader', values);
    case 'scope_not_required':
      return t('editorDock.problem.scopeNotRequired', values);
    case 'scope_not_granted':
      return t('editorDock.problem.scopeNotGranted', values);
    case 'resource_missing':
      return missingText(t, message);
    case 'param_missing':
    case 'param_unknown':
      return paramText(t, code, message);
    case 'wire_twice':
      return t('editorDock.problem.wireTwice');
    case 'no_start':
      return t('editorDock.problem.noStart');
    case 'unreachable':
      return t('editorDock.problem.unreachable');
    case 'unknown_kind':
      return t('editorDock.problem.unknownKind', values);
    case 'port_unknown':
      return t('editorDock.problem.portUnknown', values);
    case 'wire_from_nowhere':
    case 'wire_to_nowhere':
      return t('editorDock.problem.wireNowhere');
    case 'wire_into_start':
      return t('editorDock.problem.wireIntoStart');
    case 'example_misfit':
      return t('editorDock.problem.exampleMisfit');
    case 'fetch_stored':
      return t('editorDock.problem.fetchStored');
    case 'reply_changed':
      return t('editorDock.problem.replyChanged');
    case 'setting_invalid':
    case 'unsavable':
      return settingText(t, draft, problem, names);
    default:
      return sentence;
  }
}

/** The sentence of the issue, in the language of the UI if it has a declared rule. */
const sentenceOf = ({ finding, message }: Problem): string => (finding === null ? message : ruleText(finding).text);

/** The node of a problem, by its name. */
export function problemPlace(t: TFunction, draft: Draft, { node }: Problem): string {
  return node === null ? t('editorDock.problem.pipeline') : nameOf(draft, node);
}

const CLASH = /The route (.+) is already answered by the running pipeline "(.+)" of project "(.+)"/;

function clashText(t: TFunction, draft: Draft, { node, message }: Problem): string {
  const [, route, pipeline = '', project = ''] = CLASH.exec(message) ?? [];
  if (route !== undefined) return t('editorDock.problem.routeElsewhere', { route, pipeline, project });
  return node === null ? message : t('editorDock.problem.routeTwice', { route: routeText(draft, node) });
}

function settingText(t: TFunction, draft: Draft, problem: Problem, names: FieldNames): string {
  const path = settingOf(problem);
  const node = nodeOf(draft, problem.node ?? '');
  const field = path !== null && node !== undefined ? fieldTitle(node, names.kinds, path, names.text) : path;
  const message = sentenceOf(problem);
  return field === null ? message : t('editorDock.problem.setting', { field, message });
}

/** All values that a sentence can contain; empty if this problem has none. */
interface Words {
  target: string;
  reason: string;
  port: string;
  quoted: string;
  timeout: string;
  scope: string;
  route: string;
}

function wordsOf(draft: Draft, { node, message, values }: Problem): Words {
  const first = (pattern: RegExp) => pattern.exec(message)?.[1] ?? '';
  return {
    target: values['target'] ?? '',
    reason: values['reason'] ?? '',
    port: values['port'] ?? first(/has no port "([^"]*)"/),
    quoted: first(/"([^"]*)"/),
    timeout: first(/timeout of ([\d.]+) s/),
    scope: scopeIn(message) ?? '',
    route: node === null ? '' : routeText(draft, node),
  };
}

function routeText(draft: Draft, id: string): string {
  const node = nodeOf(draft, id);
  const route = node && routesOf({ ...draft, nodes: [node] })[0];
  return route === undefined ? '' : `${route.method} ${route.pattern}`;
}
