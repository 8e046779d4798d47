import { expect, test } from 'vitest';
import { SUBJECTS } from './config.ts';
import { isInbox } from './nats-transport.ts';

test('only inboxes get answers, whatever subject the sender of a request has chosen', () => {
  expect(isInbox('_INBOX.edge-1.abc')).toBe(true);
  for (const subject of [
    undefined,
    '',
    '_INBOX',
    'x._INBOX.edge-1',
    SUBJECTS.revocation(1),
    SUBJECTS.desired('edge-2'),
    SUBJECTS.revocationAgain('edge-2'),
    '$JS.API.STREAM.DELETE.SL_REV',
  ])
    expect([subject, isInbox(subject)]).toEqual([subject, false]);
});
