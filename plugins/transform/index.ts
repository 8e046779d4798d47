import { defineKind, type NodeInstance, type NodeServices, scopeList, withPayload, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';
import { numberFrom } from '#common/model/bounds.ts';

const CODE_CHARS_MAX = 256 * 1024;
const CODE_EXPECTED = expected('module_code', { of: 'message' });

const settings = z.strictObject({
  code: z
    .string({ error: CODE_EXPECTED })
    .min(1, CODE_EXPECTED)
    .max(CODE_CHARS_MAX, expected('length_max', { max: CODE_CHARS_MAX }))
    .meta({
      title: 'Code',
      control: 'javascript',
      description:
        'A JavaScript module whose default export receives the message and returns the new payload or a promise of it. No imports.',
    }),
  scopes: scopeList.default([]).meta({
    title: 'Scopes',
    control: 'scopes',
    description: 'Scopes of the script, within the rights of the run.',
  }),
  deadline: numberFrom('seconds', 0.1, 3_600).default(1).meta({
    title: 'Deadline',
    control: 'seconds',
    more: true,
    description: 'Maximum run time of the script in seconds. It always ends at the timeout of its route.',
  }),
});

export const transform = defineKind({
  id: 'transform',
  version: '1.0.0',
  title: 'Transform',
  summary: 'Computes a new payload with a script.',
  category: 'script',
  settings,
  scopes: (given) => given.scopes,
  examples: [
    {
      title: 'Accept an order',
      settings: {
        code: 'export default (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })',
      },
      payload: { body: { orderId: 4711 } },
      expect: { port: 'out', payload: { status: 201, body: { accepted: 4711 } } },
    },
    {
      title: 'Sum up lines, asynchronously',
      settings: {
        code: [
          'const price = async (line) => line.quantity * line.unitPrice;',
          '',
          'export default async (msg) => {',
          '  const prices = await Promise.all(msg.payload.body.lines.map(price));',
          '  return { ...msg.payload, total: prices.reduce((sum, one) => sum + one, 0) };',
          '};',
        ].join('\n'),
      },
      payload: {
        body: {
          lines: [
            { quantity: 2, unitPrice: 5 },
            { quantity: 1, unitPrice: 7 },
          ],
        },
      },
      expect: {
        port: 'out',
        payload: {
          body: {
            lines: [
              { quantity: 2, unitPrice: 5 },
              { quantity: 1, unitPrice: 7 },
            ],
          },
          total: 17,
        },
      },
    },
    {
      title: 'Reject an invalid order',
      settings: {
        code: "export default (msg) => {\n  if (!msg.payload.body.orderId) throw new Error('no order id');\n  return msg.payload;\n};",
      },
      payload: { body: {} },
      expect: { error: 'script_failed' },
    },
  ],
  create: createTransform,
});

async function createTransform(
  { code, deadline, scopes }: z.output<typeof settings>,
  { project, node, scripts }: NodeServices,
): Promise<NodeInstance> {
  const script = await scripts.compile(code, { deadlineSeconds: deadline, name: node.name, project });
  return {
    async run(message, run) {
      const { payload, request, caller, error } = message;
      // A script receives exactly these parts of a message, whatever else the object contains.
      const seen = error === undefined ? { payload, request, caller } : { payload, request, caller, error };
      const capabilities = run.capabilities.limitedTo(scopes);
      return {
        port: 'out',
        message: withPayload(message, await script.call(seen, { signal: run.signal, capabilities })),
      };
    },
    close: () => script.close(),
  };
}
