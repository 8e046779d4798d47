import { appendFile, readdir, readFile, truncate, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '#test/cutting-proxy.ts';
import { startGateway } from '#test/gateway.ts';
import { ROOT } from '#test/paths.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { EXAMPLES, receiverMissing, RECEIVERS, type ReceiverProcess, startReceiver } from './receiver-process.ts';

/**
 * The examples of the guide for receivers, each in a separate process: a repeated, truncated or interrupted event
 * counts once.
 */
const ORDER = 'WO-1042';
let keys = 0;
/**
 * Accepts a report and forwards it with store and forward; waits for the receiver's response and returns it to the
 * caller.
 */
const reportPipeline = (port: number) =>
  routePipeline({
    method: 'POST',
    path: '/report',
    route: { authType: 'none' },
    middle: [
      {
        kind: 'rest-api',
        port: 'response',
        settings: {
          mode: 'egress',
          url: `http://127.0.0.1:${port}/reports`,
          method: 'POST',
          staticHeaders: {},
          timeout: 20,
        },
      },
    ],
  });
const nextKey = () => `0199a5c2-7c1e-7000-8000-${String((keys += 1)).padStart(12, '0')}`;

test.each(RECEIVERS)('the guide shows $file unchanged', async ({ language, file }) => {
  const guide = await readFile(join(ROOT, 'docs/guides/receive-events.md'), 'utf8');
  const source = await readFile(join(EXAMPLES, file), 'utf8');
  expect(guide).toContain(`\`\`\`${language}\n${source}\`\`\``);
});

test('every example is tested here', async () => {
  expect((await readdir(EXAMPLES)).toSorted()).toEqual(RECEIVERS.map(({ file }) => file).toSorted());
});

describe.each(RECEIVERS.map((example) => ({ ...example, missing: receiverMissing(example) })))(
  'the receiver $file',
  ({ missing, sqlite, ...rest }) => {
    let receiver: ReceiverProcess;
    beforeAll(async () => {
      if (missing === false) receiver = await startReceiver({ ...rest, sqlite } as (typeof RECEIVERS)[number]);
    });
    afterAll(() => receiver?.[Symbol.asyncDispose]());
    const tried = test.skipIf(missing !== false);

    tried('counts an event once that comes twice, and answers both alike', async () => {
      const before = await counted();
      const key = nextKey();
      const answers = [await report(key, 7), await report(key, 7)];
      expect(answers).toEqual([accepted, accepted]);
      expect(await counted()).toBe(before + 7);
    });

    tried('counts an event once whose attempts come at the same time', async () => {
      const before = await counted();
      const key = nextKey();
      const answers = await Promise.all(Array.from({ length: 8 }, () => report(key, 3)));
      expect(answers).toEqual(Array.from({ length: 8 }, () => accepted));
      expect(await counted()).toBe(before + 3);
    });

    tried('counts each of many events that come at the same time', async () => {
      const before = await counted();
      const answers = await Promise.all(Array.from({ length: 20 }, () => report(nextKey(), 2)));
      expect(answers).toEqual(Array.from({ length: 20 }, () => accepted));
      expect(await counted()).toBe(before + 40);
    });

    tried('knows an event again that it took before it was killed', async () => {
      const before = await counted();
      const key = nextKey();
      await report(key, 5);
      await killAndStart();
      expect(await counted()).toBe(before + 5);
      expect(await report(key, 5)).toEqual(accepted);
      expect(await counted()).toBe(before + 5);
    });

    tried('counts an event once when it is killed while it takes it', async () => {
      const before = await counted();
      for (let round = 0; round < 3; round++) {
        const key = nextKey();
        const cut = report(key, 11).catch(() => null);
        // The kill comes at a different moment in each round.
        await report(nextKey(), 0).catch(() => null);
        await receiver.kill9();
        await cut;
        await receiver.start();
        expect(await report(key, 11)).toEqual(accepted);
      }
      expect(await counted()).toBe(before + 33);
    });

    tried('permanently refuses invalid events, and stores nothing of them', async () => {
      const before = await receiver.totals();
      const key = nextKey();
      const wrong = [
        await send('/reports', { 'Idempotency-Key': key }, '{"order": "WO-1042"'),
        await send('/reports', { 'Idempotency-Key': key }, '{"order": "WO-1042"}'),
        await send('/reports', { 'Idempotency-Key': key }, '{"order": "WO-1042", "good": -1}'),
        await send('/reports', {}, reportOf(1)),
        await send('/reports', { 'Idempotency-Key': 'x'.repeat(300) }, reportOf(1)),
        await send('/elsewhere', { 'Idempotency-Key': key }, reportOf(1)),
        await send('/reports', { 'Idempotency-Key': key }, ' '.repeat(1024 * 1024 + 1)),
      ];
      expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 413]);
      expect(await receiver.totals()).toEqual(before);
      expect(await report(key, 1)).toEqual(accepted);
    });

    tried('counts an event once whose answer Sluice never read', async () => {
      const before = await counted();
      await using proxy = await startCuttingProxy(() => Number(new URL(receiver.url).port), 1);
      await using gateway = await startGateway({
        settings: { allowedInternalTargets: [`127.0.0.1:${proxy.port}`], diskReserveBytes: 0 },
        pipelines: [reportPipeline(proxy.port)],
      });
      const answer = await fetch(`http://127.0.0.1:${gateway.port}/report`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: reportOf(17),
      });
      expect({ status: answer.status, body: await answer.json() }).toEqual(accepted);
      expect(proxy.cut).toBe(1);
      const sent = proxy.heads.map((head) => /^idempotency-key: ([\x21-\x7e]{1,255})$/im.exec(head)?.[1]);
      expect(sent).toHaveLength(2);
      expect(sent[1]).toBe(sent[0]);
      expect(await counted()).toBe(before + 17);
    });

    if (sqlite) {
      tried.each([
        { step: 'the effect', table: 'totals', event: 'INSERT' },
        { step: 'the key', table: 'seen', event: 'INSERT' },
      ])('asks for another try when $step cannot be stored, and counts that one once', async ({ table, event }) => {
        await report(nextKey(), 1);
        const before = await counted();
        const key = nextKey();
        change(`CREATE TRIGGER broken BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`);
        expect((await report(key, 9)).status).toBe(503);
        change('DROP TRIGGER broken');
        expect(await report(key, 9)).toEqual(accepted);
        expect(await report(key, 9)).toEqual(accepted);
        expect(await counted()).toBe(before + 9);
      });

      tried('forgets keys after 400 days, and not before', async () => {
        const [old, recent] = [nextKey(), nextKey()];
        await report(old, 0);
        await report(recent, 0);
        change(`UPDATE seen SET at = datetime('now', '-401 days') WHERE key = '${old}'`);
        change(`UPDATE seen SET at = datetime('now', '-399 days') WHERE key = '${recent}'`);
        await report(nextKey(), 0);
        using database = open();
        const kept = database.prepare('SELECT key FROM seen WHERE key IN (?, ?)').all(old, recent);
        expect(kept.map((row) => ({ ...row }))).toEqual([{ key: recent }]);
      });
    } else {
      tried('writes one line for an event whose attempts come at the same time', async () => {
        const key = nextKey();
        await Promise.all(Array.from({ length: 16 }, () => report(key, 1)));
        const lines = (await readFile(receiver.file, 'utf8')).split('\n');
        expect(lines.filter((line) => line.startsWith(`${key}\t`))).toEqual([`${key}\t${ORDER}\t1`]);
      });

      tried('drops a last line that a crash tore, and accepts it again', async () => {
        await report(nextKey(), 1);
        const before = await counted();
        const key = nextKey();
        for (const torn of [`${key}\t${ORDER}\t1`, `${key}\t${ORDER}`, '\0'.repeat(40), `\0\0${key}\t${ORDER}\t1\n`]) {
          await receiver.kill9();
          const { size } = await stat(receiver.file);
          await appendFile(receiver.file, torn);
          await receiver.start();
          expect((await stat(receiver.file)).size).toBe(size);
        }
        expect(await report(key, 13)).toEqual(accepted);
        expect(await counted()).toBe(before + 13);
      });

      tried('does not start with a file that is damaged in the middle', async () => {
        await receiver.kill9();
        const whole = await readFile(receiver.file);
        await appendFile(receiver.file, 'not a line\n');
        await appendFile(receiver.file, whole);
        await expect(receiver.start()).rejects.toThrow('is damaged at byte');
        await truncate(receiver.file, whole.length);
        await receiver.start();
      });
    }

    const accepted = { status: 200, body: { accepted: ORDER } };
    const reportOf = (good: number) => JSON.stringify({ order: ORDER, good });
    const report = (key: string, good: number) => send('/reports', { 'Idempotency-Key': key }, reportOf(good));
    const counted = async () => (await receiver.totals())[ORDER] ?? 0;

    async function send(path: string, headers: Record<string, string>, body: string) {
      const all = { 'Content-Type': 'application/json', ...headers };
      const response = await fetch(receiver.url + path, { method: 'POST', headers: all, body });
      return { status: response.status, body: (await response.json()) as unknown };
    }

    async function killAndStart(): Promise<void> {
      await receiver.kill9();
      await receiver.start();
    }

    function open(): DatabaseSync {
      return new DatabaseSync(receiver.file, { timeout: 10_000 });
    }

    function change(sql: string): void {
      using database = open();
      database.exec(sql);
    }
  },
);
