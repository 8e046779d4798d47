import { describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { faultsOf, messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { tagWrite } from './index.ts';

async function write(writes: unknown, payload: unknown): Promise<{ calls: unknown[]; same: boolean }> {
  const calls: unknown[] = [];
  const node = await nodeOf(tagWrite, { writes });
  const message = messageOf(payload);
  const run = testRun((name, args) => {
    calls.push([name, args]);
    return null;
  });
  const outcome = await node.run(message, run);
  return { calls, same: outcome?.port === 'out' && outcome.message === message };
}

describe('writing tags', () => {
  test('writes fixed values and values from the message, and passes the message on unchanged', async () => {
    expect(await write([{ tag: 'a', value: null }], {})).toEqual({
      calls: [['tags.write', { path: 'a', value: null }]],
      same: true,
    });
    const both = [
      { tag: 'line{{payload.line}}/x', from: 'payload.x' },
      { tag: 'b', value: false },
    ];
    expect(await write(both, { line: 7, x: { y: 1 } })).toEqual({
      calls: [
        [
          'tags.writeMany',
          {
            writes: [
              { path: 'line7/x', value: { y: 1 } },
              { path: 'b', value: false },
            ],
          },
        ],
      ],
      same: true,
    });
  });

  test.each([
    [
      'a value is missing',
      [
        { tag: 'a', value: 1 },
        { tag: 'b', from: 'payload.none' },
      ],
      'value_missing',
    ],
    [
      'a name cannot be filled',
      [
        { tag: 'a', value: 1 },
        { tag: '{{payload.tag}}', value: 1 },
      ],
      'tag_path_invalid',
    ],
  ])('writes nothing if %s', async (_what, writes, code) => {
    const node = await nodeOf(tagWrite, { writes });
    const run = testRun(() => expect.fail('nothing may be written'));
    await expect(node.run(messageOf({ tag: 'a/*' }), run)).rejects.toMatchObject({ code });
  });

  test('fails with the error of the capability', async () => {
    const node = await nodeOf(tagWrite, { writes: [{ tag: 'a', value: 1 }] });
    const run = testRun(() => {
      throw new NodeError('tag_read_only', 'a cannot be written');
    });
    await expect(node.run(messageOf({}), run)).rejects.toMatchObject({ code: 'tag_read_only' });
  });

  test.each([
    [{}, /^writes: expected a list of writes/],
    [{ writes: [] }, /^writes: expected at least one write/],
    [{ writes: [{ tag: 'a' }] }, /^writes.0: expected exactly one of value, from/],
    [{ writes: [{ tag: 'a', value: 1, from: 'payload.x' }] }, /^writes.0: expected exactly one of value, from/],
    [{ writes: [{ tag: 'a/*', value: 1 }] }, /^writes.0.tag: .*without "\*"/],
    [{ writes: Array.from({ length: 1_001 }, () => ({ tag: 'a', value: 1 })) }, /^writes: expected at most 1,000/],
  ])('refuses %o', (settings, fault) => {
    expect(faultsOf(tagWrite, settings)).toEqual([expect.stringMatching(fault)]);
  });

  test('requires the scope tag:write', () => {
    expect(tagWrite.scopes(tagWrite.settings.parse({ writes: [{ tag: 'a', value: 1 }] }))).toEqual(['tag:write']);
  });
});
