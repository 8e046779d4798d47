import { z } from 'zod';
import type { Message } from '#common/model/message.ts';
import { paramName, QUERY_PARAMS_MAX } from '#common/model/named-query.ts';
import { templateField } from './fields.ts';
import { readPath } from '#common/model/message-path.ts';
import { fillTemplate, type Template } from './template.ts';
import { expected } from '#common/errors/rules.ts';

const PARAMS_EXPECTED = expected('form', {
  what: 'an object of parameters,',
  example: '{ "orderId": "{{payload.body.id}}" }',
});

/** A setting with the values of SQL parameters by name; each a template (see `bindParams`). */
export const bindField = z
  .record(paramName, templateField, { error: PARAMS_EXPECTED })
  .refine((params) => Object.keys(params).length <= QUERY_PARAMS_MAX, {
    error: expected('count_max', { max: QUERY_PARAMS_MAX, of: 'parameters' }),
  })
  .default({})
  .meta({
    title: 'Parameters',
    description:
      'Values by name. A text that consists of one {{path}} yields the value unchanged: a number stays a number, a missing value is null.',
  });

/**
 * The values for one message: a template that consists of a single placeholder returns the value with its type, or null
 * if it is missing; any other is filled in as text. Throws NodeError `text_too_long`.
 */
export function bindParams(params: Readonly<Record<string, Template>>, message: Message): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, template]) => [name, boundValue(template, message)]));
}

function boundValue(template: Template, message: Message): unknown {
  const [only] = template;
  if (template.length !== 1 || only === undefined || typeof only === 'string') return fillTemplate(template, message);
  return readPath(message, only) ?? null;
}
