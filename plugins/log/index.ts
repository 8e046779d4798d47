import { defineKind, fillTemplateUpTo, type NodeInstance, templateField, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Lines are clipped to this length; the gateway's log clips them again to its own limit. */
const LINE_CHARS_MAX = 4_096;

const settings = z.strictObject({
  message: templateField.meta({
    title: 'Message',
    control: 'text',
    description: 'A text that may contain {{payload.…}}. Keys and credentials in it are masked.',
  }),
  level: z
    .enum(LEVELS, { error: expected('one_of', { values: LEVELS }) })
    .default('info')
    .meta({ title: 'Level', description: 'Severity of the log line.' }),
});

export const log = defineKind({
  id: 'log',
  version: '1.0.0',
  title: 'Log',
  summary: "Writes a line to the gateway's log.",
  category: 'diagnostics',
  settings,
  examples: [
    {
      title: 'Log each order',
      settings: { message: 'order {{payload.body.orderId}} from {{caller.name}}', level: 'info' },
      payload: { body: { orderId: 4711 } },
      expect: { port: 'out', payload: { body: { orderId: 4711 } } },
    },
  ],
  create: createLog,
});

function createLog({ message: template, level }: z.output<typeof settings>): NodeInstance {
  return {
    run(message, run) {
      run.log(level, fillTemplateUpTo(template, message, LINE_CHARS_MAX));
      return { port: 'out', message };
    },
  };
}
