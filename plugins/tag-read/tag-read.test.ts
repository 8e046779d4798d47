import { describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { faultsOf, messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { tagRead } from './index.ts';

async function read(settings: unknown, payload: unknown): Promise<{ calls: unknown[]; payload: unknown }> {
  const calls: unknown[] = [];
  const node = await nodeOf(tagRead, settings);
  const run = testRun((name, args) => {
    calls.push([name, args]);
    return name;
  });
  const outcome = await node.run(messageOf(payload), run);
  return { calls, payload: outcome?.message.payload };
}

describe('reading tags', () => {
  test('gives one value for a single path, and a list for several paths and patterns', async () => {
    expect(await read({ tags: 'a/b' }, {})).toEqual({
      calls: [['tags.read', { path: 'a/b' }]],
      payload: { result: 'tags.read' },
    });
    expect(await read({ tags: 'a/*', into: 'payload.tags' }, {})).toEqual({
      calls: [['tags.readMany', { paths: ['a/*'] }]],
      payload: { tags: 'tags.readMany' },
    });
    expect((await read({ tags: ['a', 'line{{payload.line}}/**'] }, { line: 7 })).calls).toEqual([
      ['tags.readMany', { paths: ['a', 'line7/**'] }],
    ]);
  });

  test('reads nothing if a name cannot be filled in', async () => {
    const node = await nodeOf(tagRead, { tags: ['a', '{{payload.tag}}'] });
    const run = testRun(() => expect.fail('nothing may be read'));
    await expect(node.run(messageOf({ tag: '*' }), run)).rejects.toMatchObject({ code: 'tag_path_invalid' });
  });

  test('fails with the error of the capability', async () => {
    const node = await nodeOf(tagRead, { tags: 'a' });
    const run = testRun(() => {
      throw new NodeError('tag_unknown', 'there is no tag "a"');
    });
    await expect(node.run(messageOf({}), run)).rejects.toMatchObject({ code: 'tag_unknown' });
  });

  test.each([
    [{}, /^tags: expected a list/],
    [{ tags: [] }, /^tags: expected tags from 1 to 1,000/],
    [{ tags: Array.from({ length: 1_001 }, () => 'a') }, /^tags: expected tags from 1 to 1,000/],
    [{ tags: ['a b'] }, /^tags: expected a tag path/],
    [{ tags: 'a', into: 'request.x' }, /^into: expected a path below payload/],
  ])('refuses %o', (settings, fault) => {
    expect(faultsOf(tagRead, settings)).toEqual([expect.stringMatching(fault)]);
  });

  test('requires the scope tag:read', () => {
    expect(tagRead.scopes(tagRead.settings.parse({ tags: 'a' }))).toEqual(['tag:read']);
  });
});
