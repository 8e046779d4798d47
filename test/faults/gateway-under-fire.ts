import type { ChildProcess } from 'node:child_process';
import { type GatewayOptions, startGateway, type TestGateway } from '#test/gateway.ts';
import { nowMs } from './clock.ts';
import type { Kill, KillTime } from './evidence.ts';
import type { Random } from '#test/random.ts';

/**
 * The gateway's process, and a host that restarts it with the same folder, port and snapshot whenever it was killed.
 * Some of the starts are killed too, before the gateway is ready: in the middle of the recovery.
 */
export interface GatewayUnderFire extends AsyncDisposable {
  /** Null while it is not running. */
  readonly gateway: TestGateway | null;
  readonly kills: readonly Kill[];
  /** From each start that was not killed until the gateway was ready. */
  readonly startMs: readonly number[];
  /** Resolves once one is ready; it may have been killed again by then. */
  ready(): Promise<TestGateway>;
  /** `kill -9`, and starts the next one. Resolves when that is ready. */
  kill(when: KillTime): Promise<void>;
  /** Requests an orderly stop; returns its exit code. */
  stop(): Promise<number | null>;
}

const STARTING_KILLS_SHARE = 0.12;
/** The approximate duration of a start, so that such a kill can happen anywhere in it. */
const STARTING_MS_MAX = 900;
const STARTS_MAX = 20;

export async function openUnderFire(options: GatewayOptions, random: Random): Promise<GatewayUnderFire> {
  const kills: Kill[] = [];
  const startMs: number[] = [];
  let gateway: TestGateway | null = await startGateway(options);
  let starting: Promise<TestGateway> = Promise.resolve(gateway);

  async function kill(when: KillTime): Promise<void> {
    const victim = await starting;
    gateway = null;
    const atMs = nowMs();
    await victim.kill9();
    kills.push({ atMs, goneAtMs: nowMs(), when });
    starting = startUntilReady();
    gateway = await starting;
  }

  async function startUntilReady(): Promise<TestGateway> {
    for (let starts = 1; ; starts++) {
      const doomed = starts < STARTS_MAX && random.chance(STARTING_KILLS_SHARE);
      const beganAtMs = nowMs();
      const started = doomed ? await startDoomed() : await startGateway(options);
      if (started === null) continue;
      startMs.push(nowMs() - beganAtMs);
      return started;
    }
  }

  /** Null if it was killed before it was ready. */
  async function startDoomed(): Promise<TestGateway | null> {
    const fuse = lightFuse(random.between(0, STARTING_MS_MAX));
    const started = await startGateway({ ...options, onSpawn: fuse.attach }).catch((error: unknown) => {
      if (fuse.burntAtMs() === null) throw error;
      return null;
    });
    const atMs = fuse.putOut();
    if (atMs === null) return started;
    await started?.kill9();
    kills.push({ atMs, goneAtMs: nowMs(), when: 'starting' });
    return null;
  }

  return {
    get gateway() {
      return gateway;
    },
    kills,
    startMs,
    ready: () => starting,
    kill,
    async stop() {
      const last = await starting;
      gateway = null;
      return last.stop();
    },
    async [Symbol.asyncDispose]() {
      const last = await starting.catch(() => null);
      await last?.kill9();
    },
  };
}

/** Kills a child some time after it was started, unless cancelled before. */
function lightFuse(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  let burntAtMs: number | null = null;
  return {
    attach(child: ChildProcess) {
      timer = setTimeout(() => {
        burntAtMs = nowMs();
        child.kill('SIGKILL');
      }, ms);
    },
    burntAtMs: () => burntAtMs,
    /** When it killed; null: it did not, and will not. */
    putOut() {
      clearTimeout(timer);
      return burntAtMs;
    },
  };
}
