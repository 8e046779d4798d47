import type { ErrorCode, FieldError } from '#common/errors/catalogue.ts';
import type { EgressCallName } from '../contract.ts';
import type { OutboxEvent, OutboxLine, OutboxNews, OutboxOutcome, OutboxSettings } from './contract.ts';

/** Messages between the gateway's main thread and the outbox's thread. Values are cloned. */
export interface PutEvent extends OutboxEvent {
  /** The ID of the waiting node's call on both sides. */
  readonly ticket: number;
  readonly id: string;
  /** The handle of its line. */
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly acceptedAt: number;
  /** The same time on a monotonic clock that threads share (`sharedNowMs`). */
  readonly putAtMs: number;
  readonly waitMs: number;
}

export interface ThreadOptions {
  readonly file: string;
  readonly key: Uint8Array;
  readonly settings: OutboxSettings;
}

export type ToOutbox =
  | { readonly kind: 'line'; readonly handle: number; readonly line: OutboxLine }
  | { readonly kind: 'release'; readonly handle: number }
  | { readonly kind: 'put'; readonly events: readonly PutEvent[] }
  /** Its node no longer waits. */
  | { readonly kind: 'unwait'; readonly id: string }
  | { readonly kind: 'settings'; readonly id: number; readonly settings: OutboxSettings }
  | { readonly kind: 'call'; readonly id: number; readonly call: EgressCallName; readonly args: unknown }
  | { readonly kind: 'close' };

export interface CallFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: FieldError[] | undefined;
}

export type FromOutbox =
  /** First message: the file is open, or the reason why not. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'stored'; readonly tickets: readonly number[] }
  | { readonly kind: 'outcome'; readonly ticket: number; readonly outcome: OutboxOutcome }
  | { readonly kind: 'reply'; readonly id: number; readonly value?: unknown; readonly error?: CallFailure }
  | { readonly kind: 'news'; readonly news: OutboxNews }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly text: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };
