import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { GatewayCalls } from '#common/control/messages.ts';
import type { EgressCallName, EgressControl } from '../contract.ts';
import type { HttpClient } from '../http/contract.ts';
import type { Outbox, OutboxOutcome, OutboxSettings } from '../outbox/contract.ts';
import { OutboxCore } from '../outbox/core.ts';
import type { FromOutbox } from '../outbox/messages.ts';

/** The parts of an outbox that a check of its file needs. */
export type CheckedOutbox = Pick<Outbox, 'open' | 'put' | 'close'> & {
  readonly control: Pick<EgressControl, 'egress-events' | 'egress-state'>;
};

/** Sends no replies and makes no connections. */
const nowhere: HttpClient = {
  call: () => Promise.resolve({ kind: 'refused', text: 'nothing is sent here', durationMs: 0, repeated: false }),
  configure() {},
  close() {},
};

/**
 * The core of the outbox in this thread: starting a thread for each of thousands of states would take most of their
 * time. Throws if the file cannot be opened.
 */
export function openOutboxHere(dataDir: string, key: Uint8Array, settings: OutboxSettings): CheckedOutbox {
  const replies = new Map<number, (message: FromOutbox & { kind: 'reply' }) => void>();
  const outcomes = new Map<number, (outcome: OutboxOutcome) => void>();
  const tell = (message: FromOutbox) => {
    if (message.kind === 'reply') replies.get(message.id)?.(message);
    if (message.kind === 'outcome') outcomes.get(message.ticket)?.(message.outcome);
  };
  const core = new OutboxCore({ file: join(dataDir, 'outbox.sqlite'), key, settings, tell, client: nowhere });
  let last = 0;
  const call =
    <C extends EgressCallName>(name: C) =>
    async (args: GatewayCalls[C]['args']) => {
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<FromOutbox & { kind: 'reply' }>();
      replies.set(id, resolve);
      core.handle({ kind: 'call', id, call: name, args });
      const { value, error } = await promise;
      if (error) throw new Error(`${error.code}: ${error.detail}`);
      return value as GatewayCalls[C]['value'];
    };
  return {
    control: { 'egress-events': call('egress-events'), 'egress-state': call('egress-state') },
    open(line) {
      const handle = ++last;
      core.handle({ kind: 'line', handle, line });
      return Promise.resolve(handle);
    },
    put(line, event, waitMs) {
      const ticket = ++last;
      const { promise, resolve } = Promise.withResolvers<OutboxOutcome>();
      outcomes.set(ticket, resolve);
      const put = {
        ...event,
        ticket,
        id: randomUUID(),
        line,
        acceptedAt: Date.now(),
        putAtMs: performance.timeOrigin + performance.now(),
        waitMs,
      };
      core.handle({ kind: 'put', events: [put] });
      return promise;
    },
    close: () => core.close(),
  };
}
