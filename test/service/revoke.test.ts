import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STOPPED_CODE } from '#common/errors/gateway-codes.ts';
import { type Answer, type Caller, createCaller } from '#test/caller.ts';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/**
 * No request that was sent after a revoke or a stop returned is run. 64 callers stay on their connections, half of them
 * pipelining four requests at a time. Each round they call until the change has returned, and once more after it; the
 * path identifies the period: the journal must have no use on the second.
 *
 * SLUICE_ROUNDS sets the number of rounds of each test: default 100, which is fast enough for `npm test`; 1,000 is the
 * full proof.
 */
const ROUNDS = Number(process.env['SLUICE_ROUNDS'] ?? 100);
const CALLERS = 64;
const DEPTH = 4;
const ROUND_MS_MAX = 400;
let gateway: TestGateway;
let callers: Caller[];
const lasting = makeKey();

const pipeline = () => routePipeline({ id: 'count', path: '/count/:phase/:round', ...fixedReply('counted') });

beforeAll(async () => {
  gateway = await startGateway({ keys: [lasting], pipelines: [pipeline()] });
  callers = Array.from({ length: CALLERS }, (_, index) =>
    createCaller(gateway.port, index % 2 === 0 ? 1 : DEPTH, `127.0.3.${index + 1}`),
  );
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await gateway.stop();
});

const get = (phase: 'before' | 'after', round: number, key: string) =>
  `GET /count/${phase}/${round} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;

/** Responses by status or, for refusals, code: to requests sent before the change returned, and after. */
interface Round {
  before: Map<string, number>;
  after: Map<string, number>;
}

/**
 * All callers call; when each has received one response, `change` is made; requests that are sent after it count as
 * after.
 */
async function oneRound(round: number, key: string, change: () => Promise<void>): Promise<Round> {
  const result: Round = { before: new Map(), after: new Map() };
  const count = (phase: 'before' | 'after', answers: readonly Answer[]) => {
    for (const { code, status } of answers) {
      const kind = code || String(status);
      result[phase].set(kind, (result[phase].get(kind) ?? 0) + 1);
    }
  };
  let served = 0;
  let changing = false;
  let returned = false;
  let makeChange: () => void = () => {};
  const changed = new Promise<void>((resolve) => (makeChange = resolve)).then(change).then(() => (returned = true));
  await Promise.all(
    callers.map(async (caller) => {
      for (let first = true; ; first = false) {
        const phase = returned ? 'after' : 'before';
        const answers = await caller.burst(() => get(phase, round, key));
        count(phase, answers);
        // No response: the socket was being closed because of an earlier refusal. The next one is sent on a new one.
        if (phase === 'after' && answers.length > 0) return;
        if (first) served += 1;
        if (served === CALLERS && !changing) {
          changing = true;
          makeChange();
        }
      }
    }),
  );
  await changed;
  return result;
}

/** On an overloaded machine the journal may refuse for a moment: nothing is run in that case either. */
const BUSY = 'audit_unavailable';

function expectNoneRanAfter(rounds: readonly Round[], code: string): void {
  for (const { before, after } of rounds) {
    expect((before.get('200') ?? 0) + (before.get(BUSY) ?? 0), 'every caller was served before').toBeGreaterThanOrEqual(
      CALLERS,
    );
    const refused = (after.get(code) ?? 0) + (after.get(BUSY) ?? 0);
    expect(refused, 'every caller was refused after').toBeGreaterThanOrEqual(CALLERS);
    expect([...after.keys()].filter((kind) => kind !== BUSY)).toEqual([code]);
  }
}

async function usesAfter(): Promise<number> {
  const rows = await gateway.journalRows();
  return rows.filter((row) => row.type === 'use' && row.path?.startsWith('/count/after/')).length;
}

describe(`${ROUNDS} times with ${CALLERS} callers`, { timeout: 60_000 + ROUNDS * ROUND_MS_MAX }, () => {
  test('no request sent after the revoke call returned runs: all of them get 401', async () => {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { value, entry } = makeKey();
      await gateway.change({ kind: 'key', key: entry });
      rounds.push(await oneRound(round, value, () => gateway.change({ kind: 'key-revoked', keyId: entry.id })));
    }
    expectNoneRanAfter(rounds, 'key_invalid');
    expect(await usesAfter()).toBe(0);
  });

  test('no request sent after the stop call returned runs: all of them are refused', async () => {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await gateway.change({ kind: 'start', start: pipelineStart(pipeline()) });
      const stop = () => gateway.change({ kind: 'stop', project: TEST_PROJECT, pipeline: 'count' });
      rounds.push(await oneRound(round, lasting.value, stop));
    }
    expectNoneRanAfter(rounds, STOPPED_CODE);
    expect(await usesAfter()).toBe(0);
  });
});
