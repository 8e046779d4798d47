import { readdir, readFile, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Answer } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';
import { openApi } from './openapi.ts';
import { CALLS } from './table.ts';

/** Every call is made on connections with secrets; then everything that was written or returned is searched. */
const SECRETS = [
  'Pa55-of-the-first',
  'Pa55-of-the-second',
  'Pa55-of-a-draft',
  'Pa55-that-is-wrong',
  'K3Y-of-the-client',
];

let answers: string;
let events: string;
let endEvents: () => void;

harnessPerFile({ journal: true });
beforeAll(async () => {
  answers = '';
  events = '';
  await new Promise<void>((resolve, reject) => {
    const stream = get(`${harness.base}/api/v1/events`, { headers: admin.headers }, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => (events += text));
      response.on('error', () => {});
      resolve();
    });
    stream.on('error', reject);
    endEvents = () => stream.destroy();
  });
});
afterAll(() => endEvents());

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await admin.send(method, path, body);
  answers += JSON.stringify([answer.body, [...answer.headers]]);
  return answer;
}

test('no secret of a connection is in a response, an event, a log, the journal, the OpenAPI file or any other file', async () => {
  const [first = '', second = '', draft = '', wrong = '', key = ''] = SECRETS;
  for (const list of ['tags.readMany', 'vars.list', 'files.list']) harness.gateway.capabilities[list] = [];
  harness.gateway.capabilities['files.write'] = { bytes: 1 };
  const C = '/projects/line-7/connections';
  const mes = (settings: object, id = 'mes') => ({
    id,
    settings: { kind: 'postgresql', host: 'db', database: 'mes', user: 'mes', ...settings },
  });
  await send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  expect((await send('POST', C, mes({ password: first }))).status).toBe(201);
  const broker = { kind: 'mqtt', host: 'broker', password: first, clientKey: key };
  expect((await send('POST', C, { id: 'broker', settings: broker })).status).toBe(201);
  expect((await send('PUT', `${C}/mes`, mes({ password: second }))).status).toBe(200);
  expect((await send('PUT', `${C}/mes`, mes({ password: { set: true }, poolMax: 2 }))).status).toBe(200);
  await send('POST', `${C}/mes/test`);
  await send('POST', `${C}/test`, mes({ password: draft }));
  // Requests that are refused for various reasons, with a secret inside.
  for (const bad of [
    mes({ password: wrong, host: 'a b' }),
    mes({ password: wrong, passwort: wrong }),
    mes({ password: wrong, port: wrong }),
    mes({ password: [wrong] }),
    mes({ password: { set: wrong } }),
    mes({ password: wrong, kind: wrong }),
    { ...mes({}), password: wrong },
    mes({ password: wrong.padEnd(70_000) }),
    `{"id":"x","settings":{"password":"${wrong}"`,
  ]) {
    expect((await send('POST', C, bad)).status).toBe(400);
    expect((await send('PUT', `${C}/mes`, bad)).status).toBe(400);
    expect((await send('POST', `${C}/test`, bad)).status).toBe(400);
  }
  const { call, change } = harness.gateway;
  harness.gateway.call = () => Promise.reject(new SluiceError('conflict', `connect mes:${second}@db failed`));
  expect((await send('POST', `${C}/mes/test`)).status).toBe(409);
  harness.gateway.call = call;
  for (const code of ['conflict', 'gateway_down', 'internal'] as const) {
    harness.gateway.change = () => Promise.reject(new SluiceError(code, 'no'));
    await send('PUT', `${C}/mes`, mes({ password: wrong, user: code }));
  }
  harness.gateway.change = change;
  for (const { method, path } of CALLS) {
    if (path === '/events' || path === '/session') continue;
    const named = path
      .replace(':project', 'line-7')
      .replace(':connection', 'mes')
      .replaceAll(/:[a-z]+/gi, 'x');
    if (method === 'delete' && !path.endsWith(':connection')) continue;
    await send(
      method.toUpperCase(),
      named,
      method === 'get' ? undefined : method === 'put' ? mes({ password: first }) : {},
    );
  }
  await send('GET', '/audit?limit=1000');
  await send('GET', '/audit/export?format=jsonl');
  await send('DELETE', '/projects/line-7');
  await expect.poll(() => events).toContain('"what":"project"');

  expect(events).toContain('"what":"connection"');
  expect(answers).toContain('connection.change');
  const files = await readdir(harness.dataDir, { recursive: true });
  expect(files.filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(0);
  const written: [string, string][] = [
    ['answers', answers],
    ['events', events],
    ['log', harness.logged.join('\n')],
    ['OpenAPI', JSON.stringify(openApi({ version: '1.2.3', uiPort: 8091, host: '127.0.0.1:8091' }))],
  ];
  for (const name of files) {
    const path = join(harness.dataDir, name);
    if ((await stat(path)).isFile()) written.push([name, (await readFile(path)).toString('latin1')]);
  }
  const leaks = written.flatMap(([name, text]) =>
    SECRETS.filter((secret) => text.includes(secret)).map((s) => [name, s]),
  );
  expect(leaks).toEqual([]);
});
