import type { Message, Run, Script } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import type { Sandbox } from './contract.ts';
import { loadEngineWasm } from './engine-wasm.ts';
import { type Guest, loadGuest } from './guest.ts';
import { type QueueLimits, ROOM_BYTES_MIN } from './limits.ts';
import { prelude } from './prelude.ts';
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

/** A guest in this thread, without a sandbox around it. Another result than a guest is what made the script fail. */
export async function bareGuest(
  code: string,
  options: Partial<Parameters<typeof loadGuest>[1]> = {},
): ReturnType<typeof loadGuest> {
  return loadGuest(code, {
    wasm: options.wasm ?? (await loadEngineWasm()),
    prelude: prelude(null),
    host: { entropy: () => 1 },
    watch: () => null,
    room: ROOM_BYTES_MIN,
    begin: () => undefined,
    buffer: (bytes) => new ArrayBuffer(bytes),
    ...options,
  });
}

/** Throws if the script cannot be loaded. */
export function guestOf(loaded: Awaited<ReturnType<typeof loadGuest>>): Guest {
  if ('failure' in loaded) throw new Error(loaded.failure.text);
  return loaded.guest;
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
    origin: {},
    rehearsal: null,
    expectTarget: () => undefined,
  };
}

export function call(script: Script, payload: unknown = null, signal?: AbortSignal): Promise<unknown> {
  return script.call(messageOf(payload), makeRun(signal));
}
