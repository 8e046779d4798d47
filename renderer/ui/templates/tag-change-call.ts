import { type PipelineTemplate, send } from './template.ts';

export const tagChangeCall: PipelineTemplate = {
  id: 'tag-change-call',
  open: [
    { node: 'change', field: 'tags', example: ['line7/speed'] },
    { node: 'send', field: 'url', example: 'https://mes.example:8443/changes' },
  ],
  call: null,
  grants: ['tag:read'],
  nodes: [
    { id: 'change', kind: 'tag-change', settings: { tags: [] } },
    {
      id: 'body',
      kind: 'set',
      settings: {
        assign: [
          { path: 'payload.body', value: {} },
          { path: 'payload.body.tag', from: 'payload.tag' },
          { path: 'payload.body.value', from: 'payload.value' },
          { path: 'payload.body.time', from: 'payload.time' },
        ],
      },
    },
    send('send'),
  ],
  wires: ['change out body', 'body out send'],
};
