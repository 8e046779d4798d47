import { z } from 'zod';
import { expected, ruleIssue } from '../errors/rules.ts';
import { textUpTo } from './bounds.ts';

/**
 * An author's description of a route for the project's OpenAPI document: settings of a REST API node in ingress mode.
 * It is not checked at run time, so a wrong description refuses no request.
 *
 * Limits: the constants below.
 */
export const PARAMETER_TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const;

const QUERY_PARAMETERS_MAX = 64;
const REPLIES_MAX = 32;
const TEXT_CHARS_MAX = 2_000;
const NAME_CHARS_MAX = 128;
const SCHEMA_CHARS_MAX = 65_536;
const EXAMPLE_CHARS_MAX = 16_384;

const text = textUpTo(TEXT_CHARS_MAX);

const example = z
  .json({ error: expected('json') })
  .refine(
    (value) => JSON.stringify(value).length <= EXAMPLE_CHARS_MAX,
    `expected a JSON value of at most ${EXAMPLE_CHARS_MAX} characters`,
  );

const FITS: Record<(typeof PARAMETER_TYPES)[number], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

const NAME_EXPECTED = `expected a name of 1 to ${NAME_CHARS_MAX} characters without white space`;

const queryParameter = z
  .strictObject({
    name: z
      .string({ error: NAME_EXPECTED })
      .max(NAME_CHARS_MAX, NAME_EXPECTED)
      .regex(/^\S+$/, NAME_EXPECTED)
      .meta({ title: 'Name', description: 'Name in the query, such as line in ?line=7.' }),
    type: z
      .enum(PARAMETER_TYPES, { error: expected('one_of', { values: PARAMETER_TYPES }) })
      .default('string')
      .meta({ title: 'Type', description: 'JSON type of the value. Use "array" for a name that may be repeated.' }),
    required: z
      .boolean({ error: expected('true_or_false') })
      .default(false)
      .meta({ title: 'Required', description: 'Callers always send it.' }),
    description: text
      .optional()
      .meta({ title: 'Description', control: 'text', description: 'Meaning of the value, with its unit.' }),
    example: example.optional().meta({ title: 'Example', description: 'A value that callers can copy.' }),
  })
  .superRefine(({ type, example: given }, context) => {
    if (given === undefined || FITS[type](given)) return;
    const expected = type === 'array' ? 'a list of strings' : `a value of the type ${type}`;
    context.addIssue({ code: 'custom', path: ['example'], message: `expected ${expected}` });
  });

const STATUS_EXPECTED = expected('range', { what: 'a whole number', from: 200, to: 599 });
const SCHEMA_EXPECTED = `expected a JSON Schema: an object of at most ${SCHEMA_CHARS_MAX} characters`;
const MEDIA_TYPE_EXPECTED = expected('form_exact', {
  what: 'a media type',
  example: 'application/json',
  also: ' or text/csv',
});

const routeReply = z.strictObject({
  status: z
    .int({ error: STATUS_EXPECTED })
    .min(200, STATUS_EXPECTED)
    .max(599, STATUS_EXPECTED)
    .meta({ title: 'Status', description: 'HTTP status of this reply.' }),
  description: text
    .optional()
    .meta({ title: 'Description', control: 'text', description: 'When callers get this reply.' }),
  contentType: z
    .string({ error: MEDIA_TYPE_EXPECTED })
    .max(NAME_CHARS_MAX, MEDIA_TYPE_EXPECTED)
    .regex(/^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/, MEDIA_TYPE_EXPECTED)
    .optional()
    .meta({ title: 'Media type', description: 'Media type of the body. Default: application/json.' }),
  schema: z
    .record(z.string(), z.json(), { error: SCHEMA_EXPECTED })
    .refine((schema) => JSON.stringify(schema).length <= SCHEMA_CHARS_MAX, SCHEMA_EXPECTED)
    .optional()
    .meta({
      title: 'Schema',
      control: 'json',
      description: 'JSON Schema (2020-12) of the body. Default: derived from the example.',
    }),
  example: example
    .optional()
    .meta({ title: 'Example', control: 'json', description: 'A body that callers can expect.' }),
});

export type RouteReply = z.output<typeof routeReply>;

export const routeDescription = {
  description: text.optional().meta({
    title: 'Description',
    control: 'text',
    more: true,
    description: 'Purpose of the route, for integrators. Part of the OpenAPI document.',
  }),
  queryParameters: z
    .array(queryParameter, { error: expected('form', { what: 'a list of parameters', example: '{ "name": "line" }' }) })
    .max(QUERY_PARAMETERS_MAX, expected('count_max', { max: QUERY_PARAMETERS_MAX, of: 'parameters' }))
    .superRefine((list, context) =>
      refuseRepeated(
        list.map(({ name }) => name),
        'name',
        context,
      ),
    )
    .optional()
    .meta({
      title: 'Query parameters',
      more: true,
      description: 'Query parameters for the OpenAPI document. Requests are not checked against them.',
    }),
  replies: z
    .array(routeReply, { error: expected('form', { what: 'a list of replies', example: '{ "status": 200 }' }) })
    .max(REPLIES_MAX, expected('count_max', { max: REPLIES_MAX, of: 'replies' }))
    .superRefine((list, context) =>
      refuseRepeated(
        list.map(({ status }) => status),
        'status',
        context,
      ),
    )
    .optional()
    .meta({
      title: 'Replies',
      more: true,
      description:
        'Replies of the pipeline for the OpenAPI document, one per status. Replies are not checked against them.',
    }),
};

function refuseRepeated(
  values: readonly (string | number)[],
  field: string,
  context: { addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string; params: object }): void },
): void {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      context.addIssue({ ...ruleIssue('twice', { field, value: String(value) }), path: [index, field] });
}
