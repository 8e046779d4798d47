import { expect, test } from 'vitest';
import { CALLS } from '#common/capabilities/calls.ts';
import { faultsOf } from '#sdk/testing.ts';
import { messageOut } from '../message-out/index.ts';
import { messageIn } from './index.ts';

test.each(['.', '..'])('no channel can be named %s, which no URL can contain', (channel) => {
  const says = /^channel: expected a name other than "\." and "\.\."/;
  for (const kind of [messageIn, messageOut]) {
    expect(faultsOf(kind, { channel })).toEqual([expect.stringMatching(says)]);
    expect(faultsOf(kind, { channel: `orders/${channel}` })).toEqual([]);
    expect(faultsOf(kind, { channel: '...' })).toEqual([]);
  }
  const sent = CALLS['messages.send'].args.safeParse({ channel, payload: 1 });
  expect(sent.error?.issues).toMatchObject([{ path: ['channel'] }]);
});
