import { expect, test } from 'vitest';
import { GROUPS_MAX } from '#common/model/canvas-notes.ts';
import { copyText, paste, readClip } from './clipboard.ts';
import { wireId } from './draft.ts';
import { draftOf, nodeAt } from './kinds.testing.ts';

const DRAFT = draftOf(['timer', 'log', 'reply'], ['timer out log', 'log out reply']);

function clipOf(text: string) {
  const clip = readClip(text);
  if (clip === null) throw new Error('it holds no nodes');
  return clip;
}

test('copied nodes include the wires between them, and no others', () => {
  const clip = clipOf(copyText(DRAFT, new Set(['timer', 'log'])));
  expect(clip.nodes.map(({ id }) => id)).toEqual(['timer', 'log']);
  expect(clip.wires.map(wireId)).toEqual(['timer out log']);
});

test('pasted nodes have new IDs and are 40 px off, or at the pointer', () => {
  const clip = clipOf(copyText(DRAFT, new Set(['timer', 'log'])));
  const { draft, ids } = paste(DRAFT, clip, null);
  expect([...ids]).toEqual(['timer-2', 'log-2']);
  expect(draft.wires.map(wireId)).toContain('timer-2 out log-2');
  expect(draft.nodes.at(-1)?.position).toEqual({ x: 320, y: 40 });
  expect(paste(DRAFT, clip, { x: 100, y: 200 }).draft.nodes.at(-1)?.position).toEqual({ x: 380, y: 200 });
});

test('a group is copied if all of its nodes are, and is pasted around the new ones', () => {
  const draft = { ...DRAFT, groups: [{ id: 'group', title: 'Intake', nodes: ['timer', 'log'] }] };
  const clip = clipOf(copyText(draft, new Set(['timer', 'log'])));
  expect(paste(draft, clip, null).draft.groups).toEqual([
    { id: 'group', title: 'Intake', nodes: ['timer', 'log'] },
    { id: 'group-2', title: 'Intake', nodes: ['timer-2', 'log-2'] },
  ]);
  expect(clipOf(copyText(draft, new Set(['timer', 'reply']))).groups).toEqual([]);
  expect(paste(DRAFT, clipOf(copyText(DRAFT, new Set(['timer']))), null).draft).not.toHaveProperty('groups');
});

test('pasted groups respect the limit of a pipeline, and unknown nodes are left out', () => {
  const groups = Array.from({ length: GROUPS_MAX }, (_, at) => ({ id: `g${at}`, title: 'x', nodes: ['timer'] }));
  const clip = clipOf(copyText({ ...DRAFT, groups: groups.slice(0, 1) }, new Set(['timer'])));
  expect(paste({ ...DRAFT, groups }, clip, null).draft.groups).toHaveLength(GROUPS_MAX);
  const foreign = { ...clip, groups: [{ id: 'g', title: 'x', nodes: ['none'] }] };
  expect(paste(DRAFT, foreign, null).draft.groups).toEqual([]);
});

test('secrets are not copied', () => {
  const call = nodeAt('rest-api', 0, 0, {
    mode: 'egress',
    staticHeaders: { Authorization: 'Bearer xyz' },
    tls: { certificate: 'public', key: 'private' },
  });
  const text = copyText(draftOf([call]), new Set(['rest-api']));
  expect(text).not.toContain('xyz');
  expect(text).not.toContain('private');
  expect(text).toContain('Authorization');
});

test('text without nodes is rejected', () => {
  for (const text of ['', 'hello', '{}', '{"sluice":"nodes","nodes":[],"wires":[]}', '[1]', 'null'])
    expect(readClip(text)).toBeNull();
  expect(readClip(`"${'x'.repeat(1024 * 1024)}"`)).toBeNull();
});

test('nodes with a duplicate ID are rejected because their wires would lead to both', () => {
  const node = { id: 'a', kind: 'log' };
  expect(readClip(JSON.stringify({ sluice: 'nodes', nodes: [node, node], wires: [] }))).toBeNull();
  expect(readClip(JSON.stringify({ sluice: 'nodes', nodes: [node], wires: [] }))).not.toBeNull();
});
