import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { whyNoTrace } from '../power/record.ts';
import { type Fault, type FaultyRun, runWithFault } from './inject.ts';

/**
 * Store and forward (docs/spec/egress.md#store-and-forward) on a disk that fails: no event is reported as accepted that
 * is not in the file, the failure is reported in plain text, and the same process accepts events again as soon as the
 * disk works. `SLUICE_STATES=all` lets every call fail.
 */
const program = 'gateway/egress/testing/outbox-puts.ts';
const noTrace = whyNoTrace();
const noDisk = whyNoDisk();
const everyCall = process.env['SLUICE_STATES'] === 'all';
/** How many calls of one kind fail in turn in a normal run. */
const TURNS_USUAL = 5;
/** Concurrent runs: they mostly wait for the next attempt of the outbox. */
const AT_ONCE = 2 * availableParallelism();

interface Said {
  body: string;
  outcome: { kind: string; id?: string; text?: string };
}

interface OutboxModule {
  openTestOutbox(dataDir: string): {
    open(line: unknown): Promise<number>;
    close(): Promise<void>;
    control: { 'egress-state'(args: object): Promise<{ buffer: { trouble: string | null } }> };
  };
  testLine(origin: string): unknown;
  putText(outbox: unknown, line: number, body: string, waitMs: number): Promise<Said['outcome']>;
  storedBodies(folder: string): Promise<Map<string, string | null>>;
}

const subject = 'gateway/egress/testing/outbox-subject.ts';
const { openTestOutbox, testLine, putText, storedBodies } = (await import(
  pathToFileURL(join(ROOT, subject)).href
)) as OutboxModule;

type OutboxRun = Omit<FaultyRun, 'said'> & { readonly said: readonly Said[] };

async function run(fault: Fault | null): Promise<OutboxRun> {
  await using dir = await tempDir('sluice-faulty-');
  const folder = join(dir.path, 'data');
  await mkdir(folder);
  const files = ['', '-wal', '-journal'].map((end) => join(folder, `outbox.sqlite${end}`));
  const result = await runWithFault(program, [folder], files, fault);
  const said = result.said as Said[];
  await expectHonest(folder, said);
  return { ...result, said };
}

async function expectHonest(folder: string, said: readonly Said[]): Promise<void> {
  const stored = await storedBodies(folder);
  for (const { body, outcome } of said) {
    if (outcome.kind === 'queued') expect(stored.get(outcome.id ?? ''), `accepted: ${body}`).toBe(body);
    else {
      expect(['full', 'unavailable']).toContain(outcome.kind);
      expect(outcome.text).toMatch(/\w+ \w+ \w+/);
    }
  }
}

/** Some of the numbers from 1 to `count`, including the first and the last; all on request. */
function turns(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  if (everyCall || count <= TURNS_USUAL) return numbers;
  const chosen = Array.from({ length: TURNS_USUAL }, (_, at) => 1 + Math.round((at * (count - 1)) / (TURNS_USUAL - 1)));
  return numbers.filter((number) => chosen.includes(number));
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

describe.skipIf(noTrace !== null)(
  `a disk that fails under the outbox${noTrace === null ? '' : ` (skipped: ${noTrace})`}`,
  { timeout: 900_000 },
  () => {
    test('accepted events are stored, failures are reported, and the outbox resumes, whichever call fails', async () => {
      const healthy = await run(null);
      expect(healthy.injected).toBe(0);
      const faults = [...healthy.calls].flatMap(([call, count]) =>
        turns(count).flatMap((first): Fault[] =>
          (['ENOSPC', 'EIO'] as const).flatMap((error) => [
            { call, error, first, count: 1 },
            ...(everyCall || first === Math.ceil(count / 2) ? [{ call, error, first, count: 6 }] : []),
          ]),
        ),
      );
      const runs = await inParallel(faults, run);
      const seen = runs.filter(({ said }) => said.some(({ outcome }) => outcome.kind !== 'queued')).length;
      const accepted = runs.reduce(
        (sum, { said }) => sum + said.filter(({ outcome }) => outcome.kind === 'queued').length,
        0,
      );
      const calls = [...healthy.calls].map(([call, count]) => `${count} ${call}`).join(', ');
      console.log(
        `failing disk, outbox: a run makes ${calls}; ${faults.length} runs with a fault (one call or six in a row, ENOSPC ` +
          `and EIO), ${runs.filter(({ injected }) => injected > 0).length} met it, ${seen} reported to a sender; ${accepted} ` +
          `accepted, none of them missing; all resumed automatically`,
      );
      expect(runs.filter(({ injected }) => injected > 0).length).toBeGreaterThan(faults.length * 0.8);
      expect(seen).toBeGreaterThan(faults.length * 0.2);
    });
  },
);

describe.skipIf(noDisk !== null)(
  `a full disk under the outbox${noDisk === null ? '' : ` (skipped: ${noDisk})`}`,
  { timeout: 120_000 },
  () => {
    test('refuses with a reason, keeps what it has, and accepts again once there is space', async () => {
      await using disk = await smallDisk();
      const outbox = openTestOutbox(disk.path);
      const said: Said[] = [];
      try {
        const line = await outbox.open(testLine('http://127.0.0.1:1'));
        const put = async () => {
          const body = `${said.length} `.padEnd(20_000, 'x');
          said.push({ body, outcome: await putText(outbox, line, body, 300) });
          return said.at(-1)?.outcome.kind;
        };
        for (let count = 0; count < 5; count++)
          await until('it accepts', async () => (await put()) === 'queued', { timeoutMs: 20_000 });
        await disk.fill();
        const trouble = async () => (await outbox.control['egress-state']({})).buffer.trouble ?? '';
        // Events that fit into the WAL are still accepted; and a busy machine may be late with an event that would fit.
        await until(
          'it refuses for want of room',
          async () => (await put()) !== 'queued' && /full|free/.test(await trouble()),
          { timeoutMs: 60_000 },
        );
        await disk.empty();
        await until('it accepts again', async () => (await put()) === 'queued', { timeoutMs: 20_000, everyMs: 200 });
      } finally {
        await outbox.close();
      }
      await expectHonest(disk.path, said);
    });
  },
);
