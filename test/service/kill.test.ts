import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { type Answer, type Caller, createCaller } from '#test/caller.ts';
import { freePort } from '#test/free-port.ts';
import { journalRows } from '#test/journal-rows.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/**
 * `kill -9` of the gateway under load against the whole service: the supervisor brings it back with the same routes
 * within 2 s, and every answer that a keyed caller saw has its rows in the journal, whose chain still verifies.
 *
 * SLUICE_KILLS sets how often it is killed (default 20). At most 60 restarts per minute are immediate, so kills are not
 * more frequent. The 2 s are checked only if SLUICE_KILLS is set: on a busy machine, starting a process can take
 * longer.
 */
const KILLS = Number(process.env['SLUICE_KILLS'] ?? 20);
const PROOF = process.env['SLUICE_KILLS'] !== undefined;
const CALLERS = 16;
const BACK_MS_MAX = PROOF ? 2000 : 20_000;
let service: TestService;
let port: number;
let key: string;

beforeAll(async () => {
  port = await freePort();
  service = await startService(['--gateway-port', String(port)]);
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const pipeline = routePipeline({
    id: 'job',
    path: '/job/:n',
    route: { requiredScopes: ['db:read'] },
    ...fixedReply('done'),
  });
  await admin.run('line-1', pipeline);
  const made = await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: ['db:read'] });
  key = made.key;
  expect((await call(port, { path: '/job/0', key })).status).toBe(200);
}, 90_000);
afterAll(() => service?.stop());

const request = (n: number) => `GET /job/${n} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;

/** Calls repeatedly until it is stopped; keeps every response. */
function load(callers: readonly Caller[], answers: Answer[]): { stop(): Promise<void> } {
  let going = true;
  let n = 0;
  const loops = callers.map(async (caller) => {
    while (going) {
      const seen = await caller.burst(() => request((n += 1)));
      answers.push(...seen);
      if (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
    },
  };
}

async function killOnce(): Promise<number> {
  const { gateway } = await service.status();
  if (gateway.pid === null) throw new Error('the service reports no gateway');
  const killedAt = performance.now();
  process.kill(gateway.pid, 'SIGKILL');
  await until('the route answers again', () => answersAgain(), { timeoutMs: 20_000, everyMs: 5 });
  return performance.now() - killedAt;
}

async function answersAgain(): Promise<boolean> {
  try {
    return (await call(port, { path: '/job/0', key, timeoutMs: 1000 })).status === 200;
  } catch {
    return false; // There is no listener yet.
  }
}

function missingRows(answers: readonly Answer[], rows: readonly AuditRow[]): Answer[] {
  const types = new Map<string, Set<string>>();
  for (const { requestId, type } of rows)
    if (requestId !== undefined) types.set(requestId, (types.get(requestId) ?? new Set()).add(type));
  return answers.filter(({ requestId, status, code }) => {
    if (code === 'audit_unavailable') return false;
    const seen = types.get(requestId);
    return status === 200 ? !(seen?.has('use') && seen.has('outcome')) : seen === undefined;
  });
}

test(
  `restarts after each of ${KILLS} kills under load, with a row for every reply and a valid journal chain`,
  { timeout: 60_000 + KILLS * 5000 },
  async () => {
    const answers: Answer[] = [];
    const callers = Array.from({ length: CALLERS }, (_, index) =>
      createCaller(port, index % 2 === 0 ? 1 : 4, `127.0.4.${index + 1}`),
    );
    const loading = load(callers, answers);
    const backMs: number[] = [];
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const started = performance.now();
        const before = answers.length;
        await until('there is load', () => answers.length > before + CALLERS, { timeoutMs: 20_000 });
        backMs.push(await killOnce());
        // A 61st restart within a minute would wait by design.
        const rest = 1050 - (performance.now() - started);
        if (rest > 0 && KILLS > 55) await new Promise((resolve) => setTimeout(resolve, rest));
      }
    } finally {
      await loading.stop();
      for (const caller of callers) caller.close();
    }
    expect(new Set(answers.map(({ status, code }) => code || status))).toContain(200);
    const rows = await journalRows(service.dataDir);
    expect(missingRows(answers, rows)).toEqual([]);
    const report = await service.admin.ok<{ ok: boolean; findings: string[] }>('GET', '/audit/verify');
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect((await service.status()).gateway.restarts).toBe(KILLS);
    const slowest = Math.max(...backMs);
    const sorted = backMs.toSorted((a, b) => a - b);
    console.log(
      `${answers.length} answers; back after ${Math.round(sorted[KILLS >> 1] ?? 0)} ms (median), ${Math.round(slowest)} ms (most)`,
    );
    expect(slowest, `milliseconds to the next answer, of ${backMs.map(Math.round).join(' ')}`).toBeLessThan(
      BACK_MS_MAX,
    );
  },
);
