import { FILE_FORMATS, filePath } from '#common/capabilities/calls.ts';
import { defineKind, fillTemplate, intoField, nameTemplateField, type NodeInstance, writeInto, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const settings = z.strictObject({
  path: nameTemplateField(filePath).meta({
    title: 'Path',
    control: 'template',
    description: "The file in the project's workspace, such as recipes/today.json. May contain {{payload.…}}.",
  }),
  format: z
    .enum(FILE_FORMATS, { error: expected('one_of', { values: FILE_FORMATS }) })
    .default('text')
    .meta({
      title: 'Format',
      description: 'text (UTF-8), json, csv (a list of objects; the first line has the names) or bytes.',
    }),
  into: intoField,
});

export const fileRead = defineKind({
  id: 'file-read',
  version: '1.0.0',
  title: 'Read file',
  summary: "Reads a file from the project's workspace.",
  category: 'data',
  settings,
  scopes: ['file:read'],
  examples: [
    {
      title: 'The recipe of a product',
      settings: { path: 'recipes/{{payload.params.product}}.json', format: 'json', into: 'payload.body' },
      payload: { params: { product: 'cola' } },
      answers: { 'files.read': { sugar: 106 } },
      expect: { port: 'out', payload: { params: { product: 'cola' }, body: { sugar: 106 } } },
    },
    {
      title: 'A list from CSV',
      settings: { path: 'pallets.csv', format: 'csv' },
      payload: {},
      answers: { 'files.read': [{ pallet: '1', weight: '480' }] },
      expect: { port: 'out', payload: { result: [{ pallet: '1', weight: '480' }] } },
    },
  ],
  create: createFileRead,
});

function createFileRead({ path, format, into }: z.output<typeof settings>): NodeInstance {
  return {
    async run(message, { capabilities }) {
      const content = await capabilities.call('files.read', { path: fillTemplate(path, message), format });
      return { port: 'out', message: writeInto(message, into, content) };
    },
  };
}
