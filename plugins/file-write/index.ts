import { FILE_FORMATS, filePath } from '#common/capabilities/calls.ts';
import {
  defineKind,
  fillTemplate,
  isGiven,
  nameTemplateField,
  type NodeInstance,
  parsePath,
  valueSource,
  valueSourceFields,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

const settings = z
  .strictObject({
    path: nameTemplateField(filePath).meta({
      title: 'Path',
      control: 'template',
      description: "The file in the project's workspace, such as reports/today.csv. May contain {{payload.…}}.",
    }),
    format: z
      .enum(FILE_FORMATS, { error: expected('one_of', { values: FILE_FORMATS }) })
      .default('text')
      .meta({ title: 'Format', description: 'text (UTF-8), json, csv (from a list of objects) or bytes.' }),
    ...valueSourceFields(),
  })
  .refine((given) => !(isGiven(given, 'value') && isGiven(given, 'from')), {
    error: expected('one_source'),
  });

const BODY = parsePath('payload.body');

/** The message leaves unchanged. */
export const fileWrite = defineKind({
  id: 'file-write',
  version: '1.0.0',
  title: 'Write file',
  summary: "Writes a file in the project's workspace and replaces its content. Default content: payload.body.",
  category: 'data',
  settings,
  scopes: ['file:write'],
  examples: [
    {
      title: 'Store each order as received',
      settings: { path: 'orders/{{payload.body.orderId}}.json', format: 'json' },
      payload: { body: { orderId: 'ORD-004711' } },
      answers: { 'files.write': { bytes: 24 } },
      expect: { port: 'out', payload: { body: { orderId: 'ORD-004711' } } },
    },
    {
      title: 'Rows of a query as CSV',
      settings: { path: 'reports/shift.csv', format: 'csv', from: 'payload.result.rows' },
      payload: { result: { rows: [{ line: 7, bottles: 12000 }] } },
      answers: { 'files.write': { bytes: 23 } },
      expect: { port: 'out', payload: { result: { rows: [{ line: 7, bottles: 12000 }] } } },
    },
  ],
  create: createFileWrite,
});

function createFileWrite({ path, format, ...given }: z.output<typeof settings>): NodeInstance {
  const content = valueSource(isGiven(given, 'value') || given.from !== undefined ? given : { from: BODY });
  return {
    async run(message, { capabilities }) {
      await capabilities.call('files.write', { path: fillTemplate(path, message), format, content: content(message) });
      return { port: 'out', message };
    },
  };
}
