import type { PipelineTemplate } from './template.ts';

export const recordValues: PipelineTemplate = {
  id: 'record-values',
  texts: {
    en: {
      title: 'Record a value every minute',
      about: 'A timer reads a tag and writes it to a tag with history, which the historian records.',
    },
    de: {
      title: 'Wert jede Minute aufzeichnen',
      about: 'Ein Timer liest einen Tag und schreibt ihn in einen Tag mit Verlauf, den der Historian aufzeichnet.',
    },
  },
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
