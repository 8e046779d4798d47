import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { makeKey } from '#test/make-key.ts';
import { tempDir } from '#test/temp-dir.ts';
import { type BattleOptions, fight } from './battle.ts';
import { nowMs } from './clock.ts';
import type { Evidence } from './evidence.ts';
import { type GatewayUnderFire, openUnderFire } from './gateway-under-fire.ts';
import { KEYED_TARGETS, PLAIN_TARGET, pipelines, settings, streams } from './line.ts';
import { startLoad } from './load.ts';
import { backlogOf, deadLetters, drained, type Operator, startOperator } from './operator.ts';
import { createRandom } from '#test/random.ts';
import { startTargets, type Targets } from './targets.ts';
import { readWitness } from './witness.ts';

/** One whole run: targets, gateway, callers and kills. Its results are evaluated later. */
export interface RunOptions extends BattleOptions {
  readonly seed: number;
  /** Ordering keys of each target that has them. */
  readonly keysPerTarget: number;
  /** Of the egress nodes. */
  readonly timeoutMs: number;
  /** From the last event until nothing is queued, with working targets. */
  readonly drainMsMax: number;
}

export interface RunResult {
  readonly evidence: Evidence;
  readonly startMs: readonly number[];
  readonly resumed: number;
  readonly backlogMost: number;
  readonly longestSilenceMs: number;
  readonly loadMs: number;
  readonly drainMs: number;
}

const NAMES = [...KEYED_TARGETS, PLAIN_TARGET];
/**
 * Backlog limit of one target: it gets no more before it has received some. The plain one receives one call at a time.
 */
const BACKLOG_MAX = 4000;
const PLAIN_BACKLOG_MAX = 800;
/**
 * In turns, callers increase their rate, so that most receive `queued`, and reduce it, so that most get the target's
 * response.
 */
const TURN_MS = 4000;
const CALM_BACKLOG_SHARE = 0.005;
/** The single queue of the plain target waits at each fault. */
const PLAIN_FAULTS = 0.5;
/** How long nothing may arrive before and after the last kill, when everything is delivered. */
const QUIET_MS = 1500;

export async function runFaults(options: RunOptions): Promise<RunResult> {
  const { seed, timeoutMs } = options;
  await using folder = await tempDir('sluice-faults-');
  const witnessFile = join(folder.path, 'witness.jsonl');
  const targets = await startTargets({
    seed,
    witnessFile,
    timeoutMs,
    targets: NAMES.map((name) => ({ name, faults: name === PLAIN_TARGET ? PLAIN_FAULTS : 1, moods: true })),
  });
  try {
    const { evidence, ...rest } = await runGateway(options, targets, join(folder.path, 'data'));
    await targets.stop();
    return { ...rest, evidence: { ...evidence, witness: readWitness(witnessFile) } };
  } finally {
    await targets.stop();
  }
}

async function runGateway(options: RunOptions, targets: Targets, dataDir: string) {
  const { seed, keysPerTarget, timeoutMs } = options;
  const random = createRandom(seed, 'rig');
  const port = await freePort();
  const key = makeKey();
  await using fire = await openUnderFire(
    {
      dataDir,
      keys: [key],
      settings: settings(port, targets.ports),
      pipelines: pipelines(targets.ports, timeoutMs),
    },
    random,
  );
  const operator = startOperator(fire);
  const load = startLoad({
    port,
    apiKey: key.value,
    streams: streams(keysPerTarget),
    random,
    mayCall: (target) => fire.gateway !== null && hasRoom(operator, target, targets.ports),
  });
  const startedAtMs = nowMs();
  await fight(fire, load, random, options).finally(() => load.stop());
  const loadedAtMs = nowMs();
  const left = await settle(fire, targets, options.drainMsMax);
  await operator.stop();
  const letters = await deadLetters(fire, nameOf(targets));
  await fire.stop();
  return {
    evidence: { sent: load.sent, kills: fire.kills, deadLetters: letters, waiting: left.waiting },
    startMs: fire.startMs,
    resumed: operator.resumed,
    backlogMost: operator.backlogMost,
    longestSilenceMs: load.longestSilenceMs(),
    loadMs: loadedAtMs - startedAtMs,
    drainMs: left.drainMs,
  };
}

const nameOf =
  ({ ports }: Targets) =>
  (origin: string) =>
    NAMES.find((name) => origin.endsWith(`:${ports[name]}`)) ?? origin;

function hasRoom({ state }: Operator, name: string, ports: Targets['ports']): boolean {
  const target = state?.targets.find((record) => record.target.endsWith(`:${ports[name]}`));
  const most = name === PLAIN_TARGET ? PLAIN_BACKLOG_MAX : BACKLOG_MAX;
  const calm = Math.floor(nowMs() / TURN_MS) % 2 === 0;
  return (target?.queued ?? 0) < (calm ? most * CALM_BACKLOG_SHARE : most);
}

/** The targets accept everything; when all is delivered and stored, even a kill causes no repetition. */
async function settle(fire: GatewayUnderFire, targets: Targets, drainMsMax: number) {
  const startedAtMs = nowMs();
  await targets.behave();
  const left = await drained(fire, drainMsMax);
  const drainMs = nowMs() - startedAtMs;
  if (left > 0) return { waiting: left, drainMs };
  await sleep(QUIET_MS);
  await fire.kill('idle');
  await sleep(QUIET_MS);
  const gateway = await fire.ready();
  return { waiting: backlogOf(await gateway.call('egress-state', {})), drainMs };
}
