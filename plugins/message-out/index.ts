import { channelName } from '#common/capabilities/calls.ts';
import { defineKind, fillTemplate, nameTemplateField, type NodeInstance, z } from '#sdk';

const settings = z.strictObject({
  channel: nameTemplateField(channelName).meta({
    title: 'Channel',
    control: 'template',
    description:
      'The channel on which message-in nodes of this project listen, such as orders/new. May contain {{payload.…}}.',
  }),
});

export const messageOut = defineKind({
  id: 'message-out',
  version: '1.0.0',
  title: 'Send message',
  summary: "Sends the payload to the running message-in nodes of a channel; the message itself continues at 'out'.",
  category: 'flow',
  settings,
  scopes: ['script:execute'],
  examples: [
    {
      title: 'Notify the pipeline of the label printer about an order',
      settings: { channel: 'labels/line-{{payload.params.line}}' },
      payload: { params: { line: '7' }, body: { orderId: 'ORD-004711' } },
      answers: { 'messages.send': { receivers: 1 } },
      expect: { port: 'out', payload: { params: { line: '7' }, body: { orderId: 'ORD-004711' } } },
    },
  ],
  create: createMessageOut,
});

function createMessageOut({ channel }: z.output<typeof settings>): NodeInstance {
  return {
    async run(message, { capabilities }) {
      const args = { channel: fillTemplate(channel, message), payload: message.payload };
      await capabilities.call('messages.send', args);
      return { port: 'out', message };
    },
  };
}
