import type { PipelineTemplate } from './template.ts';

export const recordValues: PipelineTemplate = {
  id: 'record-values',
  open: [
    { node: 'read', field: 'tags', example: ['line7/speed'] },
    { node: 'record', field: 'writes.0.tag', example: 'line7/recorded' },
  ],
  call: null,
  grants: ['tag:read', 'tag:write'],
  nodes: [
    { id: 'tick', kind: 'timer', settings: { every: 60 } },
    { id: 'read', kind: 'tag-read', settings: { tags: [] } },
    { id: 'record', kind: 'tag-write', settings: { writes: [{ tag: '', from: 'payload.result.value' }] } },
  ],
  wires: ['tick out read', 'read out record'],
};
