import { variableName } from '#common/capabilities/calls.ts';
import { defineKind, fillTemplate, intoField, nameTemplateField, type NodeInstance, writeInto, z } from '#sdk';

const settings = z.strictObject({
  name: nameTemplateField(variableName).meta({
    title: 'Name',
    control: 'template',
    description: 'The variable to read, such as shift/current. May contain {{payload.…}}.',
  }),
  into: intoField,
});

export const variableRead = defineKind({
  id: 'variable-read',
  version: '1.0.0',
  title: 'Read variable',
  summary: 'Reads a variable of the project; null if it was never set.',
  category: 'data',
  settings,
  scopes: ['vars:read'],
  examples: [
    {
      title: 'The order that a line works on',
      settings: { name: 'line/{{payload.params.line}}/order', into: 'payload.body' },
      payload: { params: { line: '7' } },
      answers: { 'vars.get': { orderId: 'ORD-004711', quantity: 3 } },
      expect: { port: 'out', payload: { params: { line: '7' }, body: { orderId: 'ORD-004711', quantity: 3 } } },
    },
    {
      title: 'A variable that was never set is null',
      settings: { name: 'shift/current' },
      payload: { body: 1 },
      answers: { 'vars.get': null },
      expect: { port: 'out', payload: { body: 1, result: null } },
    },
  ],
  create: createVariableRead,
});

function createVariableRead({ name, into }: z.output<typeof settings>): NodeInstance {
  return {
    async run(message, { capabilities }) {
      const value = await capabilities.call('vars.get', { name: fillTemplate(name, message) });
      return { port: 'out', message: writeInto(message, into, value) };
    },
  };
}
