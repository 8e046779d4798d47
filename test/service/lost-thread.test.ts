import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { journalRows } from '#test/journal-rows.ts';
import { HTTP_THREAD_ENTRY } from '#test/paths.ts';
import { call, openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until, within } from '#test/until.ts';
import { runInThread } from './debugger.ts';

/**
 * An HTTP thread that fails, in a whole service: its gateway exits with the reason, and the host starts another
 * (decision 14). The thread is made to fail like with a bug in its code: by an uncaught error.
 */
const DEBUGGED_SERVICE = fileURLToPath(new URL('./debugged-service.ts', import.meta.url));
const FAULT = "setImmediate(() => { throw new Error('the thread is broken') }); 0";
const CALLERS = 8;
/** On a busy machine, ending and starting a process can take long. */
const BACK = { timeoutMs: 30_000 };
const folder = dirPerFile();
let service: TestService;
let port: number;
let key: string;

const number = { kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.params.n' }] } };
const endless = { kind: 'delay', settings: { seconds: 300 } };
const pipelines = [
  routePipeline({ id: 'number', path: '/number/:n', middle: [number] }),
  routePipeline({ id: 'wait', path: '/wait/:n', route: { timeout: 300 }, middle: [endless, number] }),
];

beforeAll(async () => {
  port = await freePort();
  service = await startService(['--gateway-port', String(port)], {
    program: [process.execPath, DEBUGGED_SERVICE],
    env: { SLUICE_TEST_FOLDER: folder.path },
  });
  await service.setUp();
  const { admin } = service;
  await admin.ok('PATCH', '/settings', { workers: 3 });
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  for (const pipeline of pipelines) {
    await admin.ok('POST', '/projects/line-1/pipelines', pipeline);
    await admin.ok('POST', `/projects/line-1/pipelines/${pipeline.id}/start`, {});
  }
  key = (await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] })).key;
});
afterAll(() => service?.stop());

const open = () => Promise.all(Array.from({ length: CALLERS }, () => openRaw(port)));

/** Calls one number after the other until its connection ends; returns responses that do not belong to its call. */
async function count(caller: RawConnection): Promise<string[]> {
  const wrong: string[] = [];
  for (let n = 0; ; n++) {
    caller.send(requestBytes({ path: `/number/${n}`, key }));
    const answer = await caller.next().catch(() => null);
    if (answer === null) break;
    if (answer.status !== 200 || answer.text() !== String(n)) wrong.push(`${n}: ${answer.status} ${answer.text()}`);
  }
  await caller.closed();
  return wrong;
}

const logLine = (text: string) =>
  service
    .log()
    .split('\n')
    .find((line) => line.includes(text)) ?? '';

test('a gateway that has lost an HTTP thread fails and reports why, and the host starts another', async () => {
  const before = (await service.status()).gateway;
  const waiting = await open();
  for (const [n, caller] of waiting.entries()) caller.send(requestBytes({ path: `/wait/${n}`, key }));
  const counting = await open();
  const counted = Promise.all(counting.map(count));
  await until('all run', async () => {
    const runs = (await journalRows(service.dataDir)).filter(
      ({ type, path = '' }) => type === 'use' && path.startsWith('/wait/'),
    );
    return runs.length === CALLERS && counting.every(({ responses }) => responses.length > 0);
  });

  const debuggerUrl = /Debugger listening on (ws:\S+)/.exec(service.log())?.[1] ?? '';
  await runInThread(debuggerUrl, HTTP_THREAD_ENTRY, FAULT);

  expect(await within(BACK.timeoutMs, 'every connection ends', counted)).toEqual(counting.map(() => []));
  for (const caller of waiting) {
    expect((await caller.closed()).rest).toHaveLength(0);
    expect(caller.responses).toEqual([]);
  }
  await until(
    'another gateway serves',
    async () => {
      const { state, pid } = (await service.status()).gateway;
      return state === 'running' && pid !== before.pid;
    },
    BACK,
  );
  expect((await service.status()).gateway).toMatchObject({ restarts: before.restarts + 1, port });
  expect((await call(port, { path: '/number/7', key })).text()).toBe('7');

  expect(logLine('an HTTP thread ended')).toContain('the thread is broken');
  // The end in the view of the host: it was not requested.
  expect(JSON.parse(logLine('"gateway ended"'))).toMatchObject({
    pid: before.pid,
    code: 1,
    signal: null,
    lastState: 'running',
    reason: null,
  });
});
