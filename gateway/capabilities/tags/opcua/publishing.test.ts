import { beforeAll, expect, test } from 'vitest';
import type { PublishRequest, PublishResponse } from 'node-opcua-client';
import { NodeError } from '#sdk';
import { type Opcua, loadOpcua } from './library.ts';
import type { Link, Session } from './link.ts';
import { createPublishing } from './publishing.ts';

/** Fakes the network: records requests and returns possible responses of a server. */
let opcua: Opcua;
beforeAll(async () => (opcua = await loadOpcua()));

type Answer = (error: Error | null, response?: PublishResponse) => void;

function edge() {
  const asked: { request: PublishRequest; answer: Answer }[] = [];
  const end = new AbortController();
  const session = { publish: (request: PublishRequest, answer: Answer) => void asked.push({ request, answer }) };
  const fail = (reason: string) => end.abort(new NodeError('device_unreachable', reason));
  const link: Link = {
    opcua,
    session: session as unknown as Session,
    peer: 'plc:4840',
    ended: end.signal,
    fail,
    close: async () => {},
  };
  const heard: number[] = [];
  const publishing = createPublishing(link, (response) => heard.push(response.notificationMessage.sequenceNumber));
  const next = () => asked.shift() ?? expect.unreachable('nothing was asked');
  return { asked, next, heard, publishing, reason: () => (end.signal.aborted ? String(end.signal.reason) : null) };
}

const message = (sequenceNumber: number, keepAlive = false) =>
  new opcua.PublishResponse({
    subscriptionId: 1,
    notificationMessage: { sequenceNumber, notificationData: keepAlive ? [] : [new opcua.DataChangeNotification({})] },
  });

test('the server holds one request more than there are subscriptions, and each response is replaced', () => {
  const { asked, next, publishing } = edge();
  publishing.keep(2, 60_000);
  expect(asked).toHaveLength(3);
  next().answer(null, message(1));
  expect(asked).toHaveLength(3);
  expect(asked.at(-1)?.request.requestHeader.timeoutHint).toBe(60_000);
});

test('messages are acknowledged once, keep-alives are not', () => {
  const { asked, next, publishing, heard } = edge();
  publishing.keep(1, 60_000);
  next().answer(null, message(7));
  expect(asked.at(-1)?.request.subscriptionAcknowledgements).toMatchObject([{ subscriptionId: 1, sequenceNumber: 7 }]);
  next().answer(null, message(8, true));
  expect(asked.at(-1)?.request.subscriptionAcknowledgements).toEqual([]);
  next().answer(null, message(8));
  expect(heard).toEqual([7, 8]);
});

test.each([9, 7, 0])(
  'after message 7, message %i closes the connection because a value was missed',
  (sequenceNumber) => {
    const { asked, next, publishing, reason } = edge();
    publishing.keep(1, 60_000);
    next().answer(null, message(7));
    next().answer(null, message(sequenceNumber));
    expect(reason()).toContain('lost a message of a subscription');
    expect(asked).toHaveLength(1);
  },
);

test('numbers start again at 1 after the highest', () => {
  const { next, publishing, heard, reason } = edge();
  publishing.keep(1, 60_000);
  next().answer(null, message(0xffffffff));
  next().answer(null, message(1));
  expect(heard).toEqual([0xffffffff, 1]);
  expect(reason()).toBeNull();
});

test('a server that accepts fewer requests is sent fewer, and any other refusal closes the connection', () => {
  const { asked, next, publishing, reason } = edge();
  publishing.keep(5, 60_000);
  next().answer(new Error(' ServiceResult is BadTooManyPublishRequests (0x80780000) request was PublishRequest'));
  expect(asked).toHaveLength(5);
  expect(reason()).toBeNull();
  next().answer(new Error(' ServiceResult is BadNoSubscription (0x80790000) request was PublishRequest'));
  expect(reason()).toContain('plc:4840 answered BadNoSubscription');
});

test('a server that refuses every request at once causes a disconnect instead of an endless loop', () => {
  const end = new AbortController();
  const refuse = (_request: PublishRequest, answer: Answer) => answer(new Error('Socket is closed !'));
  const fail = (reason: string) => end.abort(new Error(reason));
  const session = { publish: refuse } as unknown as Session;
  const link: Link = { opcua, session, peer: 'plc:4840', ended: end.signal, fail, close: async () => {} };
  createPublishing(link, () => undefined).keep(3, 60_000);
  expect(end.signal.aborted).toBe(true);
});
