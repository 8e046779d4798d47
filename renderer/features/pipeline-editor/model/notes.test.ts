import { expect, test } from 'vitest';
import { GROUPS_MAX, NOTES_MAX } from '#common/model/canvas-notes.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import type { Draft } from './draft.ts';
import { removeNodes } from './edits.ts';
import { freeSpot, isFree } from './geometry.ts';
import { draftOf, KINDS } from './kinds.testing.ts';
import {
  addGroup,
  freeNoteId,
  groupBoxes,
  groupsOf,
  notesOf,
  putNote,
  renameGroup,
  removeGroup,
  takenBoxes,
} from './notes.ts';

const DRAFT = draftOf(['validate:check', 'reply']);
const note = (draft: Draft, text: string) => ({ id: freeNoteId(draft), text, position: { x: 3, y: 11 } });
const [first, second] = ['check', 'reply'];
const grouped = (draft: Draft, ...ids: string[]) => addGroup(draft, new Set(ids), 'Intake')?.draft ?? draft;

test('a note is added on the grid, changed, and removed by an empty text', () => {
  const added = putNote(DRAFT, note(DRAFT, 'Ask the MES team'));
  expect(notesOf(added)).toEqual([{ id: 'note', text: 'Ask the MES team', position: { x: 0, y: 20 } }]);
  const [kept] = notesOf(added);
  if (kept === undefined) throw new Error('the note is there');
  expect(putNote(added, kept)).toBe(added);
  expect(notesOf(putNote(added, { ...kept, text: 'Done' }))[0]?.text).toBe('Done');
  expect(notesOf(putNote(added, { ...kept, text: ' ' }))).toEqual([]);
  expect(putNote(DRAFT, note(DRAFT, ''))).toBe(DRAFT);
});

test('a pipeline has a limited number of notes and groups', () => {
  let draft: Draft = DRAFT;
  for (let count = 0; count <= NOTES_MAX; count++) draft = putNote(draft, note(draft, `${count}`));
  expect(notesOf(draft)).toHaveLength(NOTES_MAX);
  const full = {
    ...DRAFT,
    groups: Array.from({ length: GROUPS_MAX }, (_, at) => ({ id: `g${at}`, title: 'x', nodes: [] })),
  };
  expect(addGroup(full, new Set([first]), 'x')).toBeNull();
  expect(pipelineDefinition.safeParse({ ...draft, ...full }).success).toBe(true);
});

test('a node is in one group, and a group ends with its last node', () => {
  const draft = grouped(grouped(DRAFT, first, second), second);
  expect(groupsOf(draft).map(({ nodes }) => nodes)).toEqual([[first], [second]]);
  expect(groupsOf(removeNodes(draft, new Set([first]), KINDS)).map(({ nodes }) => nodes)).toEqual([[second]]);
  expect(groupsOf(renameGroup(draft, 'group', 'Checks'))[0]?.title).toBe('Checks');
  expect(removeGroup(draft, 'group').nodes).toBe(draft.nodes);
});

test('a new note covers no card, note or frame', () => {
  const draft = grouped(putNote(DRAFT, { id: 'note', text: 'x'.repeat(300), position: { x: 0, y: 400 } }), first);
  const boxes = takenBoxes(draft, KINDS);
  expect(boxes).toHaveLength(4);
  const long = boxes.find(({ y }) => y === 400);
  expect(long?.height).toBeGreaterThan(200);
  const spot = freeSpot(boxes, { x: 0, y: 0 });
  expect(isFree(boxes, { x: 0, y: 0 })).toBe(false);
  expect(isFree(boxes, spot)).toBe(true);
});

test('the frame surrounds the nodes of the group, also while they are dragged', () => {
  const draft = grouped(DRAFT, first, second);
  const [still] = groupBoxes(draft, KINDS, null);
  const { x, y } = draft.nodes[0]?.position ?? { x: 0, y: 0 };
  if (still === undefined) throw new Error('the frame is there');
  expect([still.x < x, still.y < y, still.width > 216]).toEqual([true, true, true]);
  const both = new Map(
    [first, second].map((id) => {
      const spot = draft.nodes.find((node) => node.id === id)?.position ?? { x: 0, y: 0 };
      return [id, { x: spot.x + 400, y: spot.y }] as const;
    }),
  );
  expect(groupBoxes(draft, KINDS, both)[0]).toMatchObject({ x: still.x + 400, width: still.width });
});
