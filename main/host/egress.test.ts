import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostToGateway } from '#common/control/messages.ts';
import type { Alarm } from '#common/model/records.ts';
import { createLogger } from '#common/node/log.ts';
import { createAdminClient, type AdminClient } from '#test/admin-client.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { type Host, startHost } from '../host.ts';
import { NO_NEWS } from './egress-news.testing.ts';
import { createFakeChild, type FakeChild } from '../supervisor/testing/fake-child.ts';

/** The whole host, with a gateway whose store and forward is controlled by the test. */
const dir = dirPerTest();
let host: Host;
let children: FakeChild[];
let admin: AdminClient;

function child(): FakeChild {
  const made = createFakeChild(1000 + children.length);
  const { send } = made;
  made.send = (message: HostToGateway) => {
    send(message);
    if (message.type === 'stop') queueMicrotask(() => made.exit());
    if (message.type === 'call' && message.call === 'egress-target-act') {
      const error = { code: 'conflict' as const, detail: 'It is paused already.' };
      queueMicrotask(() => made.say({ type: 'reply', id: message.id, error }));
    }
    if (message.type === 'call' && message.call === 'egress-state')
      queueMicrotask(() => made.say({ type: 'reply', id: message.id, value: { buffer: {}, targets: [{ id: '1' }] } }));
  };
  children.push(made);
  setImmediate(() => made.serve());
  return made;
}

beforeEach(async () => {
  children = [];
  host = await startHost({
    dataDir: dir.path,
    secretStore: 'file',
    log: createLogger('host', () => {}),
    overrides: { gatewayPort: 0, uiPort: 0, gatewayHost: '127.0.0.1' },
    startGateway: child,
  });
  await host.ready;
  admin = createAdminClient(host.addresses().uiUrl);
  const token = readFileSync(join(dir.path, 'setup-token'), 'utf8').trim();
  await admin.ok('POST', '/setup', { token, name: 'Ada', password: 'correct horse battery' });
  await admin.logIn('Ada', 'correct horse battery');
});
afterEach(() => host.stop());

const keyOf = (one: FakeChild | undefined): string | null => {
  const message = one?.sent.find(({ type }) => type === 'snapshot');
  return message?.type === 'snapshot' ? message.snapshot.outboxKey : null;
};

async function alarmCodes(): Promise<string[]> {
  const { alarms } = (await admin.ok('GET', '/status')) as { alarms: Alarm[] };
  return alarms.map(({ code }) => code).filter((code) => code.startsWith('egress'));
}

test('every gateway gets the same key for events on the disk, and it is not the one of the API keys', async () => {
  expect(keyOf(children[0])).toMatch(/^[0-9a-f]{64}$/);
  children[0]?.kill();
  await until('the next gateway is served', () => keyOf(children[1]) !== null);
  expect(keyOf(children[1])).toBe(keyOf(children[0]));
  const first = children[0]?.sent.find(({ type }) => type === 'snapshot');
  expect(first?.type === 'snapshot' && first.snapshot.keyPepper).not.toBe(keyOf(children[0]));
});

test('the state of store and forward that the gateway reports is in the status, and remains when the gateway is killed', async () => {
  const paused = [{ target: 'https://mes.example:8443', reason: 'it answered 401', by: null }];
  children[0]?.say({ type: 'event', event: { kind: 'egress', egress: { ...NO_NEWS, paused, dead: 3 } } });
  expect(await alarmCodes()).toEqual(['egress_paused', 'egress_dead']);
  children[0]?.kill();
  await until('the next gateway is served', () => keyOf(children[1]) !== null);
  expect(await alarmCodes()).toEqual(['egress_paused', 'egress_dead']);
  children[1]?.say({ type: 'event', event: { kind: 'egress', egress: NO_NEWS } });
  expect(await alarmCodes()).toEqual([]);
});

test('errors of the gateway are passed on unchanged', async () => {
  const answer = await admin.request('POST', '/egress/targets/1/pause');
  expect([answer.status, answer.body]).toMatchObject([409, { code: 'conflict', detail: 'It is paused already.' }]);
});
