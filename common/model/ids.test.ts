import { expect, test } from 'vitest';
import { newName, nodeId, projectId } from './ids.ts';

test.each(['a', '7', 'line-7', 'a'.repeat(63), 'console', 'com', 'com10'])('%s is a valid project ID', (id) => {
  expect(projectId.safeParse(id).success).toBe(true);
});

test.each(['', '-a', 'Line', 'a_b', 'a.b', 'ä', 'a'.repeat(64)])('%j is not a valid project ID', (id) => {
  expect(projectId.safeParse(id).error?.issues[0]?.message).toMatch(/expected 1 to 63/);
});

test.each(['con', 'prn', 'aux', 'nul', 'com0', 'com9', 'lpt1'])(
  '%s is a device on Windows and not a valid ID',
  (id) => {
    expect(projectId.safeParse(id).error?.issues[0]?.message).toMatch(/device/);
  },
);

test.each([
  ['A_b-9', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['', false],
  ['a b', false],
])('%j as the ID of a node: %s', (id, right) => {
  expect(nodeId.safeParse(id).success).toBe(right);
});

test.each([
  ['MES line 7', true],
  ['Größe', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['  ', false],
  ['a\nb', false],
  ['a\u202eb', false],
  ['a\u200bb', false],
])('%j as a name: %s', (name, right) => {
  expect(newName.safeParse(name).success).toBe(right);
});
