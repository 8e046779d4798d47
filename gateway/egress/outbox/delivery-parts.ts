import type { HttpClient } from '../http/contract.ts';
import type { BufferGauge } from './buffer-gauge.ts';
import type { Clock } from './clock.ts';
import type { OutboxOutcome } from './contract.ts';
import type { Rates } from './rates.ts';
import type { OutboxShares } from './shares.ts';
import type { LineSecrets, OutboxStore } from './store.ts';
import type { GroupWriter } from './writer.ts';

/** The components and settings used to deliver stored events. */
export interface DeliveryParts {
  readonly store: OutboxStore;
  readonly writer: GroupWriter;
  readonly client: HttpClient;
  readonly gauge: BufferGauge;
  readonly shares: OutboxShares;
  /** Of all targets. */
  readonly rates: Rates;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter. */
  random(): number;
  drainRate(): number;
  /** The current settings for sending the events of a line; null: unknown. Throws if they cannot be read. */
  secrets(line: number): LineSecrets | null;
  /** The project of the node that stored with a line. Throws if it cannot be read. */
  project(line: number): string;
  notify(ticket: number, outcome: OutboxOutcome): void;
  log(level: 'info' | 'warn' | 'error', text: string, fields: Readonly<Record<string, unknown>>): void;
}
