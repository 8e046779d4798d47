import type { Message, Run, Script } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import type { Sandbox } from './contract.ts';
import type { QueueLimits } from './limits.ts';
import { createSandbox } from './sandbox.ts';

/** Shared by the sandbox's tests: a sandbox whose log can be read, and calls with plain payloads. */
export interface Fixture {
  readonly sandbox: Sandbox;
  readonly log: string[];
  compile(code: string, deadlineSeconds?: number): Promise<Script>;
  /** Compiles, calls once, closes. */
  once(code: string, payload?: unknown, deadlineSeconds?: number): Promise<unknown>;
}

/** Long: the load of the machine must not matter. */
const DEADLINE_SECONDS = 60;

export async function makeFixture(options: { limits?: QueueLimits } = {}): Promise<Fixture> {
  const log: string[] = [];
  const sandbox = await createSandbox({ ...options, log: (level, text) => void log.push(`${level} ${text}`) });
  const compile = (code: string, deadlineSeconds = DEADLINE_SECONDS): Promise<Script> =>
    sandbox.compile(code, { deadlineSeconds, name: 'test' });
  return {
    sandbox,
    log,
    compile,
    async once(code, payload = null, deadlineSeconds) {
      const script = await compile(code, deadlineSeconds);
      try {
        return await call(script, payload);
      } finally {
        script.close();
      }
    },
  };
}

export function messageOf(payload: unknown): Message {
  return { payload, request: null, caller: null };
}

export function makeRun(signal: AbortSignal = new AbortController().signal): Run {
  return {
    signal,
    remainingMs: () => 30_000,
    nextTurn: () => Promise.resolve(),
    matches: () => Promise.reject(new Error('this test makes no matches')),
    traceparent: null,
    reply: () => undefined,
    log: () => undefined,
    capabilities: testCapabilities(),
  };
}

export function call(script: Script, payload: unknown = null, signal?: AbortSignal): Promise<unknown> {
  return script.call(messageOf(payload), makeRun(signal));
}
