import { channelName } from '#common/capabilities/calls.ts';
import { defineKind, type NodeInstance, runTimeoutField, z } from '#sdk';

const settings = z.strictObject({
  channel: channelName.meta({
    title: 'Channel',
    description: 'The channel to which message-out nodes and messages.send of this project send, such as orders/new.',
  }),
  timeout: runTimeoutField,
});

export const messageIn = defineKind({
  id: 'message-in',
  version: '1.0.0',
  title: 'On message',
  summary: "Starts a run for each message to a channel, with the sender's rights, limited to the grants.",
  category: 'flow',
  input: false,
  settings,
  examples: [
    {
      title: 'Take orders from another pipeline',
      settings: { channel: 'orders/new', timeout: 10 },
      payload: { body: { orderId: 'ORD-004711' } },
      expect: { port: 'out', payload: { body: { orderId: 'ORD-004711' } } },
    },
  ],
  create: createMessageIn,
});

function createMessageIn({ channel, timeout }: z.output<typeof settings>): NodeInstance {
  return {
    runSeconds: timeout,
    begin: (trigger) => trigger.onMessages(channel),
    run: (message) => ({ port: 'out', message }),
  };
}
