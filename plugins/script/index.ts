import { projectId } from '#common/model/ids.ts';
import { defineKind, intoField, type NodeInstance, writeInto, z } from '#sdk';
import { argsField, fillArgs } from './args.ts';

const settings = z.strictObject({
  script: projectId.meta({
    title: 'Script',
    control: 'script',
    description: 'The id of a library script of this project.',
  }),
  args: argsField
    .default(new Map())
    .meta({ title: 'Arguments', description: 'Arguments of the script, by name; texts may contain {{payload.…}}.' }),
  into: intoField,
});

export const script = defineKind({
  id: 'script',
  version: '1.0.0',
  title: 'Run script',
  summary: "Runs a library script of the project with the run's rights and adds its result to the message.",
  category: 'script',
  settings,
  scopes: ['script:execute'],
  examples: [
    {
      title: 'Calculate a price in one place for all pipelines',
      settings: {
        script: 'price',
        args: { article: '{{payload.body.article}}', quantity: '{{payload.body.quantity}}', currency: 'EUR' },
        into: 'payload.body.price',
      },
      payload: { body: { article: 'A-1', quantity: 3 } },
      answers: { 'scripts.run': 29.7 },
      expect: { port: 'out', payload: { body: { article: 'A-1', quantity: 3, price: 29.7 } } },
    },
  ],
  create: createScript,
});

function createScript({ script: name, args, into }: z.output<typeof settings>): NodeInstance {
  return {
    async run(message, { capabilities }) {
      const result = await capabilities.call('scripts.run', { name, args: fillArgs(args, message) });
      return { port: 'out', message: writeInto(message, into, result ?? null) };
    },
  };
}
