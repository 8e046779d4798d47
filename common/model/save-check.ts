import type { FieldError } from '../errors/catalogue.ts';
import { egressSettings } from './egress-settings.ts';
import { fieldErrors } from './fields.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';
import { replyHeaderSettings } from './reply-headers.ts';
import { routeSettings } from './route-settings.ts';

/**
 * What is refused when a pipeline is saved (behaviour 1 Matching and Source address, 3 Messages and replies), beyond
 * the form of the definition itself. Everything else waits for `check` and start, so that a half-made draft can be
 * kept: unknown kinds, wires to nowhere and route clashes save.
 */

/** The findings that refuse a save, with paths such as `nodes.0.settings.urlPattern`; empty = may be saved. */
export function saveErrors(definition: PipelineDefinition): FieldError[] {
  return definition.nodes.flatMap((node, index) => nodeErrors(node, `nodes.${index}.settings`));
}

function nodeErrors(node: PipelineNode, path: string): FieldError[] {
  if (node.kind === 'http-response') return replyHeaderErrors(node.settings['headers'], `${path}.headers`);
  if (node.kind !== 'rest-api') return [];
  const result = (node.settings['mode'] === 'egress' ? egressSettings : routeSettings).safeParse(node.settings);
  return result.success ? [] : fieldErrors(result.error, path);
}

/** Status and body wait for the start. */
function replyHeaderErrors(headers: unknown, path: string): FieldError[] {
  if (headers === undefined) return [];
  const result = replyHeaderSettings.safeParse(headers);
  return result.success ? [] : fieldErrors(result.error, path);
}
