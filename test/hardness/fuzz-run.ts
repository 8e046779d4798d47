import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { createRandom, type Random } from '#test/random.ts';
import { ALLOWED_ROWS } from '../service/strict-rows/allowed.ts';
import { startStrictGateway } from '../service/strict-rows/gateway.ts';
import { get } from '../service/strict-rows/row.ts';
import { STRICT_ROWS } from '../service/strict-rows/table.ts';
import { type Outcome, sendCase } from './fuzz-case.ts';
import { mutate } from './mutate.ts';
import { readStrictly, type Reading } from './reference.ts';
import { UseCount } from './use-count.ts';

export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number;
  /** Called at intervals with the progress and the size of the gateway's process. */
  onProgress?(done: number, mib: number): void;
}

export interface FuzzReport {
  readonly cases: number;
  readonly seconds: number;
  /** Over all cases: what the reference allows, the number of 2xx responses, and the uses of the key in the journal. */
  readonly permitted: number;
  readonly served: number;
  readonly uses: number;
  /** Refusals by status. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Cases by the result of the reference. */
  readonly readings: Readonly<Record<Reading['end'], number>>;
  /** Cases in which the gateway served less than the reference allows. */
  readonly stricter: number;
  readonly waited: number;
  readonly resets: number;
  /** Measured in the gateway's process, after the first cases and after the last. */
  readonly memoryMiB: { readonly start: number; readonly end: number };
  readonly files: { readonly start: number; readonly end: number };
  /** Sentences with the bytes of the case, at most `VIOLATIONS_MAX`. Empty: success. */
  readonly violations: readonly string[];
}

const ADDRESSES = 12;
const SOCKETS = 32;
/** Cases before the first measurement of memory: permanent allocations of the gateway exist by then. */
const WARM_CASES = 100_000;
const WARM_SHARE = 0.25;
/** For the cases after that. A leak of 1 KiB per case would be 880 MiB over a million. */
const GROWTH_MIB_MAX = 96;
const VIOLATIONS_MAX = 20;
const LARGE_BYTES = 4096;
const LARGE_SHARE = 0.01;
/** A refused socket lingers for a second; all of them have ended soon after. */
const QUIET_MS = 2500;

export async function fuzz({ cases, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const key = makeKey();
  await using gateway = await startStrictGateway(key);
  const warm = Math.floor(Math.min(WARM_CASES, cases * WARM_SHARE));
  const journal = new UseCount(gateway.dataDir);
  const random = createRandom(seed, 'fuzz');
  const bases = readBases(key.value);
  const tally = makeTally();
  const startedMs = performance.now();
  let made = 0;
  let start = await footprint(gateway);
  const worker = async (index: number) => {
    while (made < cases && tally.violations.length < VIOLATIONS_MAX) {
      const at = made++;
      const bytes = makeCase(bases, random);
      const reading = readStrictly(bytes, key.value);
      const localAddress = `127.0.0.${2 + ((at + index) % ADDRESSES)}`;
      const outcome = await sendCase(inPieces(bytes, random), reading, { port: gateway.port, localAddress });
      tally.add(bytes, reading, outcome);
      if (at === warm) start = await footprint(gateway);
      if (at % 20_000 === 19_999) {
        await journal.read();
        onProgress?.(at + 1, (await footprint(gateway)).mib);
      }
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, (_, index) => worker(index)));
  const seconds = (performance.now() - startedMs) / 1000;
  await sleep(QUIET_MS);
  await judgeGateway(gateway, tally.violations);
  const end = await footprint(gateway);
  if (end.mib - start.mib > GROWTH_MIB_MAX)
    tally.violations.push(`the memory went from ${start.mib} to ${end.mib} MiB`);
  await journal.read();
  if (journal.uses > tally.permitted)
    tally.violations.push(`${journal.uses} uses are journaled, at most ${tally.permitted} were permitted`);
  if (journal.uses < tally.served)
    tally.violations.push(`${tally.served} were served, and only ${journal.uses} uses are journaled`);
  const { permitted, served, refusals, readings, stricter, waited, resets, violations } = tally;
  return {
    cases: made,
    seconds,
    permitted,
    served,
    uses: journal.uses,
    refusals,
    readings,
    stricter,
    waited,
    resets,
    memoryMiB: { start: start.mib, end: end.mib },
    files: { start: start.files, end: end.files },
    violations,
  };
}

type Texts = readonly [string, ...string[]];

interface Bases {
  readonly allowed: Texts;
  readonly refused: Texts;
  readonly large: Texts;
}

function readBases(key: string): Bases {
  const good = get('/count').replaceAll('%KEY%', key);
  const texts = (rows: readonly string[]): Texts => [good, ...rows.map((text) => text.replaceAll('%KEY%', key))];
  const isLarge = (text: string) => text.length > LARGE_BYTES;
  const allowed = Object.values(ALLOWED_ROWS);
  const refused = STRICT_ROWS.map((row) => row.bytes);
  return {
    allowed: texts(allowed.filter((text) => !isLarge(text))),
    refused: texts(refused.filter((text) => !isLarge(text))),
    large: texts([...allowed, ...refused].filter(isLarge)),
  };
}

/** A row before a valid request, mutated; half of them are allowed ones, in which more can be broken. */
function makeCase({ allowed, refused, large }: Bases, random: Random): Buffer {
  const [good] = allowed;
  const row = random.pick(random.chance(LARGE_SHARE) ? large : random.chance(0.5) ? allowed : refused);
  const before = random.chance(0.3) ? good : '';
  return Buffer.from(before + mutate(row, random.pick(refused), random) + good, 'latin1');
}

function inPieces(bytes: Buffer, random: Random): Buffer[] {
  if (random.chance(0.7)) return [bytes];
  const cut = Math.floor(random.next() * bytes.length);
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}

function makeTally() {
  const tally = {
    permitted: 0,
    served: 0,
    stricter: 0,
    waited: 0,
    resets: 0,
    refusals: {} as Record<string, number>,
    readings: { clean: 0, incomplete: 0, refused: 0, closed: 0 },
    violations: [] as string[],
    add(bytes: Buffer, reading: Reading, { statuses, hung, waited, reset }: Outcome) {
      const served = statuses.filter((status) => status < 300).length;
      tally.permitted += reading.permitted;
      tally.served += served;
      tally.readings[reading.end] += 1;
      tally.stricter += Number(served < reading.permitted);
      tally.waited += Number(waited);
      tally.resets += Number(reset);
      for (const status of statuses.filter((one) => one >= 300))
        tally.refusals[status] = (tally.refusals[status] ?? 0) + 1;
      const wrong = hung ? 'it hung' : judgeStatuses(statuses, served, reading);
      if (wrong !== null && tally.violations.length < VIOLATIONS_MAX)
        tally.violations.push(
          `${wrong}: ${JSON.stringify({ statuses, reading })} ${JSON.stringify(bytes.toString('latin1'))}`,
        );
    },
  };
  return tally;
}

function judgeStatuses(statuses: readonly number[], served: number, reading: Reading): string | null {
  if (served > reading.permitted) return 'more was served than is permitted';
  if (statuses.some((status) => status >= 500)) return 'an error of the gateway itself';
  if (statuses.slice(0, -1).some((status) => status >= 300)) return 'there is a response after a refusal';
  return null;
}

/** Nothing of all this may remain in it. */
async function judgeGateway(gateway: TestGateway, violations: string[]): Promise<void> {
  const { connections, inFlight, bodyBytes } = await gateway.call('stats', {});
  if (connections + inFlight + bodyBytes > 0)
    violations.push(`left in the gateway: ${JSON.stringify({ connections, inFlight, bodyBytes })}`);
  if (/uncaught|unhandled|internal error/i.test(gateway.log()))
    violations.push(`the log: ${gateway.log().slice(-2000)}`);
}

/** Throws if the process has ended. */
async function footprint({ pid, log }: TestGateway): Promise<{ mib: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch((cause: unknown) => {
    throw new Error(`the gateway is gone; its last words:\n${log().slice(-4000)}`, { cause });
  });
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
  return { mib: Math.round(kib / 1024), files: (await readdir(`/proc/${pid}/fd`)).length };
}
