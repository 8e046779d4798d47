import type { FieldError } from '../errors/catalogue.ts';
import { egressSettings } from './egress-settings.ts';
import { fieldErrors } from './fields.ts';
import { newName } from './ids.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';
import { replyHeaderSettings } from './reply-headers.ts';
import { routeSettings } from './route-settings.ts';
import { ruleBroken } from '../errors/rules.ts';

/**
 * Reasons to refuse saving a pipeline (docs/spec/pipelines.md#drafts-and-revisions), in addition to the format of the
 * definition. Everything else is left to `check` and start, so that an unfinished draft can be saved: unknown kinds,
 * dangling wires and route conflicts are accepted.
 */

/** The issues that prevent a save, with paths such as `nodes.0.settings.urlPattern`; empty: it can be saved. */
export function saveErrors(definition: PipelineDefinition): FieldError[] {
  const named = [
    { path: 'name', name: definition.name },
    ...definition.nodes.map((node, at) => ({ path: `nodes.${at}.name`, name: node.name })),
  ];
  const names = named.filter(({ name }) => name !== undefined && !newName.safeParse(name).success);
  return [
    ...names.map(({ path }) => ruleBroken(path, 'name_unseen')),
    ...definition.nodes.flatMap((node, index) => nodeErrors(node, `nodes.${index}.settings`)),
  ];
}

/**
 * Reasons to refuse an automatic save of a draft in the editor, which may have faults: names, calls with secrets whose
 * target or secrets are invalid, and a password in a URL. A secret belongs to a target, so it is stored only with a
 * valid one. A URL is stored unchanged.
 */
export function passingSaveErrors(definition: PipelineDefinition): FieldError[] {
  return saveErrors(definition).filter(({ path }) => {
    const [, index, field] = /^nodes\.(\d+)\.settings\.([^.]+)/.exec(path) ?? [];
    const node = definition.nodes[Number(index)];
    if (field === undefined || node === undefined) return true;
    if (node.kind !== 'rest-api' || node.settings['mode'] !== 'egress') return false;
    return (
      SECRET_FIELDS.includes(field) || (field === 'url' && (hasSecrets(node.settings) || hasUser(node.settings['url'])))
    );
  });
}

/** `https://user:password@host` */
function hasUser(url: unknown): boolean {
  return typeof url === 'string' && /^[^/]*\/\/[^/?#]*@/.test(url);
}

const SECRET_FIELDS = ['staticHeaders', 'tls'];

function hasSecrets({ staticHeaders, tls }: PipelineNode['settings']): boolean {
  const valuesOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.values(value) : []);
  return [...valuesOf(staticHeaders), ...valuesOf(tls)].some((value) => value !== null);
}

function nodeErrors(node: PipelineNode, path: string): FieldError[] {
  if (node.kind === 'http-response') return replyHeaderErrors(node.settings['headers'], `${path}.headers`);
  if (node.kind !== 'rest-api') return [];
  const isEgress = node.settings['mode'] === 'egress';
  const result = (isEgress ? egressSettings : routeSettings).safeParse(node.settings);
  if (!result.success) return fieldErrors(result.error, path);
  return isEgress ? [] : emptyEntryErrors(node.settings, path);
}

const ROUTE_LISTS = ['requiredScopes', 'allowedIps', 'allowedOrigins', 'headerWhitelist'];

/**
 * Refused only by a save: pipelines that ran with an empty entry, or were approved with one, still start without it.
 */
function emptyEntryErrors(settings: PipelineNode['settings'], path: string): FieldError[] {
  return ROUTE_LISTS.filter((field) => hasEmptyEntry(settings[field])).map((field) =>
    ruleBroken(`${path}.${field}`, 'empty_entry'),
  );
}

function hasEmptyEntry(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value.split(',').some((entry) => entry.trim() === '');
  return Array.isArray(value) && value.some((entry) => typeof entry === 'string' && entry.trim() === '');
}

/** Status and body are checked at the start. */
function replyHeaderErrors(headers: unknown, path: string): FieldError[] {
  if (headers === undefined) return [];
  const result = replyHeaderSettings.safeParse(headers);
  return result.success ? [] : fieldErrors(result.error, path);
}
