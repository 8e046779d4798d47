import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { ROOT } from '#test/paths.ts';
import { programMissing } from '#test/program-missing.ts';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';

/** Clients with their defaults, each a real one. */
const CLIENTS = join(ROOT, 'test/service/clients');
const key = makeKey();
const echo = [{ kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.body' }] } }];
const run = promisify(execFile);

/** Non-empty lines of a program's output. Throws if its exit code is not 0. */
async function printed(program: string, given: readonly string[]): Promise<string[]> {
  const { stdout } = await run(program, given);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.concurrent.each([
  ['one worker', 1],
  ['HTTP threads', 2],
])('%s', (_name, workers) => {
  let gateway: TestGateway;

  beforeAll(async () => {
    const pipelines = [routePipeline({ id: 'echo', method: '*' as const, path: '/echo', middle: echo })];
    gateway = await startGateway({ keys: [key], pipelines, settings: { workers } });
  });
  afterAll(() => gateway?.stop());

  const url = () => `http://127.0.0.1:${gateway.port}/echo`;
  const closes = async (lines: string) => {
    await using connection = await openRaw(gateway.port);
    connection.send(requestBytes({ path: '/echo', key: key.value }).toString('latin1').replace('\r\n\r\n', lines));
    expect((await connection.next()).header('connection')).toBe('close');
    await connection.closed();
    return connection.responses.length;
  };

  const withJava = test.skipIf(programMissing('java') !== false);
  withJava("Java's HttpClient, which asks for h2c on a plain connection, is served over HTTP/1.1", async () => {
    expect(await printed('java', [join(CLIENTS, 'Caller.java'), url(), key.value])).toEqual([
      '200 HTTP_1_1 {"turn":1}',
      '200 HTTP_1_1 {"turn":2}',
      '200 HTTP_1_1 ',
    ]);
  });

  const withCurl = test.skipIf(programMissing('curl') !== false);
  withCurl('curl --http2 is served over HTTP/1.1', async () => {
    const shown = ['-sS', '-w', ' %{http_version} %{http_code}', '--http2'];
    const body = ['-H', `X-API-Key: ${key.value}`, '-H', 'Content-Type: application/json', '--data-raw', '[1]'];
    expect(await printed('curl', [...shown, ...body, url()])).toEqual(['[1] 1.1 200']);
  });

  const withPython = test.skipIf(programMissing('python3') !== false);
  withPython("Python's http.client, which does not reconnect, finds its connection kept after a pause", async () => {
    const given = [join(CLIENTS, 'kept.py'), String(gateway.port), '/echo', key.value, '6.5'];
    expect(await printed('python3', given)).toEqual(['200 timeout=30 ', '200 timeout=30 ']);
  });

  test('a request with Upgrade is the last one on its connection', async () => {
    const behind = requestBytes({ path: '/echo', key: key.value }).toString('latin1');
    expect(await closes(`\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${behind}`)).toBe(1);
  });
});
