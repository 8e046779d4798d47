import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { PATIENT_WAIT } from '#test/until.ts';
import { PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';

harnessPerFile();

const MIB = 1024 * 1024;

/** A call whose body of this length has begun, and the response received so far. */
async function begin(path: string, bytes: number): Promise<{ socket: Socket; answer: () => string }> {
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    `Host: 127.0.0.1:${harness.port}`,
    ...Object.entries(admin.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  const socket = connect(harness.port, '127.0.0.1').on('error', () => {});
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  return { socket, answer: () => answer };
}

test('a second concurrent import is refused before its body is read, and small calls continue', async () => {
  const first = await begin('/projects/import', 32 * MIB);
  const second = await begin('/projects/import', 32 * MIB);
  await vi.waitUntil(() => second.answer() !== '', PATIENT_WAIT);
  expect(second.answer()).toMatch(/^HTTP\/1\.1 503 /);
  expect(second.answer()).toMatch(/^Retry-After: 5\r$/im);
  expect(first.answer()).toBe('');
  expect((await admin.send('POST', '/projects', { id: 'small', name: 'Small' })).status).toBe(201);
  expect((await harness.nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD })).status).toBe(200);
  for (const { socket } of [first, second]) socket.destroy();
  await vi.waitUntil(async () => (await importing()).startsWith('HTTP/1.1 400'), PATIENT_WAIT);
});

test('a call whose connection ends before its response starts keeps no memory', async () => {
  const head = (method: string, path: string, more: string[]) =>
    [
      `${method} /api/v1${path} HTTP/1.1`,
      `Host: 127.0.0.1:${harness.port}`,
      ...Object.entries(admin.headers).map(([name, value]) => `${name}: ${value}`),
      ...more,
    ].join('\r\n');
  const body = ['Content-Type: application/json', `Content-Length: ${32 * MIB}`];
  const socket = connect(harness.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  // The response to the second waits for that to the first, which never ends.
  socket.write(`${head('GET', '/events', [])}\r\n\r\n${head('POST', '/projects/import', body)}\r\n\r\n{`);
  await vi.waitUntil(async () => (await importing()).startsWith('HTTP/1.1 503'), PATIENT_WAIT);
  socket.destroy();
  await vi.waitUntil(async () => (await importing()).startsWith('HTTP/1.1 400'), PATIENT_WAIT);
});

/** The response to a large but empty import. */
async function importing(): Promise<string> {
  const { socket, answer } = await begin('/projects/import', 2 * MIB);
  socket.write('}'.padStart(2 * MIB - 1));
  await vi.waitUntil(() => answer() !== '', PATIENT_WAIT);
  socket.destroy();
  return answer();
}

test('small bodies have a common limit, which is free again when they end', async () => {
  const begun = await Promise.all(Array.from({ length: 40 }, () => begin('/projects', MIB)));
  const refused = () => begun.filter(({ answer }) => answer().startsWith('HTTP/1.1 503')).length;
  await vi.waitUntil(() => refused() === 8, PATIENT_WAIT);
  for (const { socket } of begun) socket.destroy();
  await vi.waitUntil(
    async () => (await admin.send('POST', '/projects', { id: 'free', name: 'Free' })).status !== 503,
    PATIENT_WAIT,
  );
});

test.each([
  ['objects', '{},'],
  ['lists', '[],'],
  ['numbers', '1,'],
])('a body of mostly %s is refused by its size in memory before it is parsed', async (_what, one) => {
  const count = Math.floor((15 * MIB) / one.length);
  const file = `{"file":{"sluice":"project","format":1,"project":{"id":"a","name":"A"},"tags":[${one.repeat(count)}1]}}`;
  const { status, body } = await admin.send('POST', '/projects/import', file);
  expect([status, body['code'], body['detail']]).toEqual([
    413,
    'payload_too_large',
    'The body has too many values; expected fewer lists and objects.',
  ]);
});

test('empty lines are counted before they are split', async () => {
  const { status, body } = await admin.send('POST', '/egress/import', '\n'.repeat(20 * MIB), {
    'content-type': 'application/jsonl',
  });
  expect([status, body['errors']]).toEqual([
    400,
    [{ path: '', message: 'expected at most 100000 lines, empty ones included' }],
  ]);
});
