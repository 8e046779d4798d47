import { defineKind, type NodeInstance } from '#sdk';
import { descriptionWarnings } from './description.ts';
import { createEgress, egressPorts, egressWarnings } from './egress.ts';
import { examples } from './examples.ts';
import { settings } from './settings.ts';

/** The gateway has made the message from the request: it leaves as it came. */
const ingress: NodeInstance = {
  run: (message) => ({ port: 'out', message }),
};

export const restApi = defineKind({
  id: 'rest-api',
  version: '1.1.0',
  title: 'REST API',
  summary: 'Publishes an HTTP route, where each request becomes a message, or calls an HTTP target.',
  category: 'http',
  input: false,
  inputFor: ({ mode }) => mode === 'egress',
  settings,
  ports: (given) => (given.mode === 'egress' ? egressPorts(given) : ['out']),
  scopes: () => [],
  warnings: (given) => (given.mode === 'egress' ? egressWarnings(given) : descriptionWarnings(given)),
  examples,
  create: (given, services) => (given.mode === 'egress' ? createEgress(given, services) : ingress),
});
