import { parseArgs } from 'node:util';
import { connectionDefinition } from '#common/model/connection.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';
import { freePort } from '#test/free-port.ts';
import { makeCertificate } from '#test/peers/opcua-certificates.ts';
import { startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { callContext } from '../call-context.testing.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import { DeviceDrivers } from './devices/device-drivers.ts';
import { clockMs } from './send-before.ts';
import { createTags } from './tags.ts';

/**
 * Writes to an OPC UA server race flips of its mode: none may arrive later than the bound (docs/spec/nodes.md#write-limits)
 * after Sluice has received the value with which its condition no longer holds. The server, in another process, records
 * when each value arrived, by the clock of the machine.
 *
 * By hand: `node build/node.cjs gateway/capabilities/tags/interlock-race.testing.ts --writes 100000`. Prints one line of JSON; exit code 1 if a
 * write was late.
 */
interface Race {
  /** Calls, those that were performed, refused and failed otherwise, and the arrivals that the server saw. */
  readonly calls: number;
  readonly performed: number;
  readonly refused: number;
  readonly failed: number;
  readonly arrived: number;
  /** Times that the mode left. */
  readonly left: number;
  /** Arrivals while the condition did not hold, and the latest of them after the mode was seen to leave. */
  readonly after: number;
  readonly latestMs: number;
  /** Arrivals later than the bound. */
  readonly late: number;
  readonly boundMs: number;
}

interface RaceOptions {
  readonly writes: number;
  readonly writers?: number;
  readonly flipMs?: number;
  readonly samplingInterval?: number;
}

const PROJECT = 'line';
const MODE = 'Int16';
const TARGET = 'Double';
const REMOTE = 1;
/** The libraries load in a thread of their own, which takes seconds on a busy machine. */
const START_MS_MAX = 60_000;

export async function race({
  writes,
  writers = 16,
  flipMs = 120,
  samplingInterval = 0.05,
}: RaceOptions): Promise<Race> {
  const folder = await tempDir();
  const port = await freePort();
  const certificate = await makeCertificate(folder.path, 'server');
  const peer = await startOpcuaPeer(folder.path, { port, ...certificate, witnessed: TARGET });
  const log = createLogger('test', () => undefined);
  const allowed = [`127.0.0.1:${port}`];
  const devices = new DeviceDrivers({ dataDir: folder.path, log, allowed });
  const tags = createTags({
    dataDir: folder.path,
    guard: new TargetGuard(allowed),
    disk: ENDLESS_DISK,
    log,
    providers: devices.providers,
  });
  const door = new CapabilityBroker([tags]);
  const context = callContext({ project: PROJECT });
  const of = (path: string, more: object) =>
    tagDefinition.parse({
      path,
      type: 'number',
      writable: true,
      source: { provider: 'opcua', connection: 'plc', nodeId: `ns=1;s=${path}`, samplingInterval },
      ...more,
    });
  const onlyWhile = [{ tag: MODE, is: '=', value: REMOTE }];
  /** Each change of the condition, when Sluice had it. */
  const seen: { ms: number; holds: boolean }[] = [];
  const counts = { performed: 0, refused: 0, failed: 0 };
  let calls = 0;
  const one = async (): Promise<void> => {
    while (calls < writes) {
      calls += 1;
      try {
        await door.call(context, 'tags.write', { path: TARGET, value: calls });
        counts.performed += 1;
      } catch (error) {
        if (error instanceof NodeError && error.code === 'interlock') counts.refused += 1;
        else counts.failed += 1;
        // A refusal takes no time: without a turn of the event loop, it would starve the samples.
        await new Promise(setImmediate);
      }
    }
  };
  try {
    await tags.configure?.(PROJECT, {
      ...NO_RESOURCES(PROJECT),
      connections: [
        connectionDefinition.parse({
          id: 'plc',
          settings: { kind: 'opcua', host: '127.0.0.1', port, securityMode: 'None' },
        }),
      ],
      tags: [of(MODE, {}), of(TARGET, { writeLimits: { onlyWhile } })],
    });
    tags.watch(PROJECT, [MODE], ({ value, quality }) => {
      const holds = quality === 'good' && value === REMOTE;
      if (seen.at(-1)?.holds !== holds) seen.push({ ms: clockMs(), holds });
    });
    await until('the mode is read', () => tags.read(PROJECT, MODE).quality === 'good', { timeoutMs: START_MS_MAX });
    let mode = REMOTE;
    const flip = (): void => peer.set({ id: MODE, value: (mode = REMOTE - mode) });
    peer.set({ id: MODE, value: REMOTE });
    await until('the mode is remote', () => seen.at(-1)?.holds === true);
    const flips = setInterval(flip, flipMs);
    await Promise.all(Array.from({ length: writers }, one));
    clearInterval(flips);
    await until('every arrival was reported', () => peer.writes.length >= counts.performed);
    const boundMs = Math.min(1_000, samplingInterval * 1_000);
    const afters = peer.writes.map(({ ms }) => sinceLeft(seen, ms)).filter((after) => after !== null);
    return {
      calls,
      ...counts,
      arrived: peer.writes.length,
      left: seen.filter(({ holds }) => !holds).length - 1,
      after: afters.length,
      latestMs: Math.round(Math.max(0, ...afters) * 10) / 10,
      late: afters.filter((after) => after > boundMs).length,
      boundMs,
    };
  } finally {
    await tags.close();
    await devices.close();
    await peer.kill();
    await folder.remove();
  }
}

/** How long before `ms` Sluice had seen that the condition does not hold; null: it held. */
function sinceLeft(seen: readonly { ms: number; holds: boolean }[], ms: number): number | null {
  const last = seen.findLast((change) => change.ms <= ms);
  return last === undefined || last.holds ? null : ms - last.ms;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { writes: { type: 'string', default: '100000' } } });
  const result = await race({ writes: Number(values.writes) });
  console.log(JSON.stringify(result));
  process.exitCode = result.late === 0 && result.left > 0 ? 0 : 1;
}
