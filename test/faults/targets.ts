import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { within } from '#test/until.ts';
import type { FromTargets, TargetProcessOptions, ToTargets } from './target-process.ts';

const ENTRY = fileURLToPath(new URL('target-process.ts', import.meta.url));
const START_MS_MAX = 20_000;
const BEHAVE_MS_MAX = 70_000;

/** The targets' process, seen from the rig. */
export interface Targets {
  /** By name. */
  readonly ports: Readonly<Record<string, number>>;
  behave(): Promise<void>;
  /** The witness's file is complete afterwards. */
  stop(): Promise<void>;
}

export async function startTargets(options: TargetProcessOptions): Promise<Targets> {
  const child = fork(ENTRY, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const endWithRig = () => child.kill('SIGKILL');
  process.once('exit', endWithRig);
  const expect = <K extends FromTargets['kind']>(kind: K, ms: number) =>
    within(
      ms,
      `${kind} from the targets`,
      new Promise<Extract<FromTargets, { kind: K }>>((resolve, reject) => {
        child.on('message', (message: FromTargets) => {
          if (message.kind === kind) resolve(message as Extract<FromTargets, { kind: K }>);
        });
        void exited.then(() => reject(new Error('the targets’ process ended by itself')));
      }),
    );
  const tell = (message: ToTargets) => child.send(message);
  const { ports } = await expect('listening', START_MS_MAX);
  return {
    ports,
    async behave() {
      const behaves = expect('behaves', BEHAVE_MS_MAX);
      tell({ kind: 'behave' });
      await behaves;
    },
    async stop() {
      if (child.exitCode === null && child.connected) tell({ kind: 'stop' });
      await within(BEHAVE_MS_MAX, 'the targets end', exited).catch(endWithRig);
      process.removeListener('exit', endWithRig);
    },
  };
}
