import { expected } from '#common/errors/rules.ts';
import { defineKind, z } from '#sdk';
import { egress } from './egress.ts';
import { ingress } from './ingress.ts';
import { modeOfNode, type ModeOfNode } from './mode.ts';

const settings = z.discriminatedUnion('mode', [ingress.settings, egress.settings], {
  error: expected('one_of', { values: ['ingress', 'egress'] }),
});

function modeOf(given: z.output<typeof settings>): ModeOfNode {
  return given.mode === 'egress' ? modeOfNode(egress, given) : modeOfNode(ingress, given);
}

/** One kind with two implementations (docs/spec/nodes.md): a route, and calls to a target. */
export const restApi = defineKind({
  id: 'rest-api',
  version: '1.1.0',
  title: 'REST API',
  summary: 'Publishes an HTTP route, where each request becomes a message, or calls an HTTP target.',
  category: 'http',
  input: false,
  inputFor: (given) => modeOf(given).input,
  settings,
  ports: (given) => modeOf(given).ports(),
  warnings: (given) => modeOf(given).warnings(),
  examples: [...ingress.examples, ...egress.examples],
  create: (given, services) => modeOf(given).create(services),
});
