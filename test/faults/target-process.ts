import { createRandom } from '#test/random.ts';
import { createMoodBag, createSchedule } from './schedule.ts';
import { type FaultTarget, openFaultTarget } from './fault-target.ts';
import { openWitness } from './witness.ts';

/**
 * The process of the misbehaving targets and of their witness; it is never killed. Started by `startTargets`; uses the
 * channel of the child process and ends when that closes.
 */
export interface TargetProcessOptions {
  readonly seed: number;
  readonly witnessFile: string;
  /** The timeout of the nodes that call the targets. */
  readonly timeoutMs: number;
  readonly targets: readonly { readonly name: string; readonly faults: number; readonly moods: boolean }[];
}

export type ToTargets = { readonly kind: 'behave' | 'stop' };
export type FromTargets =
  { readonly kind: 'listening'; readonly ports: Readonly<Record<string, number>> } | { readonly kind: 'behaves' };

const END_MS_MAX = 10_000;

async function main(options: TargetProcessOptions): Promise<void> {
  const { seed, timeoutMs } = options;
  const witness = openWitness(options.witnessFile);
  const counters = { arrivals: 0, connections: 0 };
  const targets: FaultTarget[] = [];
  const ports: Record<string, number> = {};
  const bag = createMoodBag(createRandom(seed, 'moods'));
  for (const { name, faults, moods } of options.targets) {
    const random = createRandom(seed, name);
    const schedule = createSchedule({ random, timeoutMs, faults, moods: bag });
    const good = createSchedule({ random, timeoutMs, faults: 0 });
    const target = await openFaultTarget({ name, witness, schedule, good, counters, moods });
    targets.push(target);
    ports[name] = target.port;
  }
  const say = (message: FromTargets) => process.send?.(message);
  const end = async () => {
    setTimeout(() => process.exit(1), END_MS_MAX);
    await Promise.all(targets.map((target) => target.close()));
    witness.close();
    process.exit(0);
  };
  process.on('disconnect', () => void end());
  process.on('message', (message: ToTargets) => {
    if (message.kind === 'stop') return void end();
    void Promise.all(targets.map((target) => target.behave())).then(() => say({ kind: 'behaves' }));
  });
  say({ kind: 'listening', ports });
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as TargetProcessOptions);
