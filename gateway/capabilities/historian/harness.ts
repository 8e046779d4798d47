import { join } from 'node:path';
import type { CallInput, CallValue } from '#common/capabilities/calls.ts';
import type { Logger } from '#common/node/log.ts';
import { scopeMask } from '#common/scopes.ts';
import { tempDir } from '#test/temp-dir.ts';
import { callContext } from '../call-context.testing.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';
import type { CallContext } from '../contract.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import { grantsPrincipal } from '../principal.ts';
import { createHistorian, type Historian, type HistorianOptions } from './historian.ts';
import { type FakeTags, fakeTags } from './fake-tags.ts';

export interface TestHistorian extends AsyncDisposable {
  readonly file: string;
  readonly tags: FakeTags;
  readonly historian: Historian;
  /** Logged messages with their level. */
  readonly lines: string[];
  /** The fake clock. */
  readonly clock: { ms: number };
  /** Through the broker, like a run of project `p`. */
  query(args: CallInput<'historian.query'>, more?: Partial<CallContext>): Promise<CallValue<'historian.query'>>;
  close(): Promise<void>;
}

export const START = Date.parse('2026-03-02T06:00:00.000Z');

/** A historian with a separate file and threads, fake tags, and a clock that the test moves. */
export async function openHistorian(options: Partial<HistorianOptions> = {}): Promise<TestHistorian> {
  const dir = await tempDir();
  const tags = fakeTags();
  const lines: string[] = [];
  const file = options.file ?? join(dir.path, 'history.sqlite');
  const clock = { ms: START };
  const now = (): number => clock.ms;
  const log = collectingLogger(lines);
  const historian = createHistorian({
    file,
    tags,
    log,
    disk: ENDLESS_DISK,
    diskReserveBytes: () => 0,
    now,
    ...options,
  });
  const door = new CapabilityBroker([historian]);
  const close = async (): Promise<void> => {
    await historian.close();
    await dir.remove();
  };
  return {
    file,
    tags,
    historian,
    lines,
    clock,
    query: (args, more = {}) => door.call({ ...context('p'), ...more }, 'historian.query', args),
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function context(project: string): CallContext {
  return callContext({ project, principal: grantsPrincipal(scopeMask(['hist:read'])), remainingMs: () => 60_000 });
}

export function at(offsetMs: number): string {
  return new Date(START + offsetMs).toISOString();
}

function collectingLogger(lines: string[]): Logger {
  const level = (name: string) => (message: string) => void lines.push(`${name}: ${message}`);
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
}
