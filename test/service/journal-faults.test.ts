import { execFileSync } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { type SmallDisk, smallDisk, whyNoDisk } from '#test/mounts.ts';
import { call, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * Durability (docs/spec/journal.md#durability): if the journal cannot be written, keyed requests get 503 within a
 * second, nothing runs, and it recovers automatically. The disk is a real one: a small ext4 that is filled, or frozen
 * so that every write hangs; the journal is made immutable, or removed.
 */
const reason = whyNoDisk();
const key = makeKey();
let disk: SmallDisk;
let gateway: TestGateway;

const ok = () => call(gateway.port, { path: '/ok', key: key.value });
const journal = () => join(disk.path, 'journal');
/** Nobody can write or append to it, including root. */
const lock = async (flag: '+i' | '-i') => void execFileSync('chattr', ['-R', flag, journal()]);

/** Replaced by another file, because it would be created again. */
async function takeJournalAway(): Promise<void> {
  await rename(journal(), `${journal()}-away`);
  await writeFile(journal(), '');
}

async function giveJournalBack(): Promise<void> {
  await rm(journal());
  await rename(`${journal()}-away`, journal());
}

const newestRun = async (pipeline = 'ok') =>
  (await gateway.call('runs', { project: TEST_PROJECT, pipeline }))[0]?.id ?? null;

describe.skipIf(reason !== null)(
  `the disk of the journal${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 60_000 },
  () => {
    beforeEach(async () => {
      disk = await smallDisk();
      gateway = await startGateway({
        dataDir: disk.path,
        keys: [key],
        pipelines: [
          routePipeline({ id: 'ok', path: '/ok', ...fixedReply('ran') }),
          routePipeline({
            id: 'slow',
            path: '/slow',
            middle: [{ kind: 'delay', settings: { seconds: 1 } }],
            reply: { body: 'ran' },
          }),
          routePipeline({ id: 'open', path: '/open', route: { authType: 'none' }, ...fixedReply('open') }),
        ],
      });
      expect((await ok()).status).toBe(200);
    });
    afterEach(async () => {
      disk.thaw();
      await gateway.kill9();
      await disk[Symbol.asyncDispose]();
    });

    const faults: [string, () => Promise<void>, () => Promise<void>][] = [
      ['full', () => disk.fill(), () => disk.empty()],
      ['hung', async () => disk.freeze(), async () => disk.thaw()],
      ['locked', () => lock('+i'), () => lock('-i')],
      ['gone', takeJournalAway, giveJournalBack],
    ];

    test.each(faults)(
      '%s: replies 503 within a second, runs nothing, and resumes automatically afterwards',
      async (_name, breakIt, mendIt) => {
        await breakIt();
        // A full disk still accepts data that fits into the last block.
        await until('the journal refuses', async () => (await ok()).status === 503);
        const before = await newestRun();
        const started = performance.now();
        const responses = await Promise.all(Array.from({ length: 20 }, ok));
        expect(performance.now() - started).toBeLessThan(1000);
        for (const response of responses) expectRefusal(response, 'audit_unavailable');
        expect(await newestRun()).toBe(before);
        await until('the host is notified', () =>
          gateway.events.find((event) => event.kind === 'journal' && event.state === 'unavailable'),
        );
        await mendIt();
        await until('it serves again', async () => (await ok()).status === 200, { timeoutMs: 15_000, everyMs: 100 });
        await until(
          'the host is notified',
          () => gateway.events.findLast((event) => event.kind === 'journal')?.state === 'ok',
        );
        const response = await ok();
        const rows = await gateway.journalRows(response.header('x-request-id'));
        expect(rows.map(({ type }) => type)).toEqual(['use', 'outcome']);
      },
    );

    test.each(faults)('%s: a refusal that cannot be recorded is 503 too', async (_name, breakIt) => {
      await breakIt();
      await until('the journal refuses', async () => (await ok()).status === 503);
      const response = await call(gateway.port, { path: '/ok' });
      expectRefusal(response, 'audit_unavailable');
    });

    test.each(faults)(
      '%s: replies 503 and says that the pipeline ran if the outcome cannot be recorded',
      async (_name, breakIt) => {
        await using connection = await openRaw(gateway.port);
        connection.send(requestBytes({ path: '/slow', key: key.value }));
        await until('it runs', async () =>
          (await gateway.journalRows()).some((row) => row.type === 'use' && row.pipeline === 'slow'),
        );
        await breakIt();
        await until('the journal refuses', async () => (await ok()).status === 503);
        const response = await connection.next();
        expectRefusal(response, 'audit_unavailable');
        expect((response.json() as { detail: string }).detail).toMatch(/pipeline ran/);
      },
    );

    test('a public route, whose successes are not recorded, continues to serve', async () => {
      disk.freeze();
      await until('the journal refuses', async () => (await ok()).status === 503);
      expect((await call(gateway.port, { path: '/open' })).text()).toBe('open');
    });

    test('the first requests during a hung write are also answered within a second', async () => {
      const before = await newestRun();
      disk.freeze();
      const started = performance.now();
      const responses = await Promise.all(Array.from({ length: 10 }, ok));
      expect(performance.now() - started).toBeLessThan(1000);
      for (const response of responses) expectRefusal(response, 'audit_unavailable');
      expect(await newestRun()).toBe(before);
    });
  },
);
