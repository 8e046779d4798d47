import type { EgressNews } from '#common/control/messages.ts';
import type { Logger } from '#common/node/log.ts';
import type { TlsMaterial } from '../http/contract.ts';
import type { EgressControl } from '../contract.ts';

/**
 * The target of a node's stored calls and the settings for sending them. Stored encrypted in the outbox, so that
 * sending continues without the pipeline.
 */
export interface OutboxLine {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly test: boolean;
  readonly origin: string;
  readonly method: string;
  /** Unencrypted values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly tls: TlsMaterial | null;
}

export interface OutboxEvent {
  readonly path: string;
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
  readonly orderingKey: string | null;
  readonly traceparent: string | null;
}

/**
 * The outcome of an event while its node waited. Except for `refused` and `unavailable`, the event is (or was) on disk.
 */
export type OutboxOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Null: too large to keep; the event was delivered nevertheless. */
      readonly body: Uint8Array | null;
    }
  | { readonly kind: 'queued'; readonly id: string }
  | { readonly kind: 'dead'; readonly id: string; readonly text: string }
  /** The buffer is full, or the free space on the disk is below the reserve. Nothing was stored. */
  | { readonly kind: 'full'; readonly text: string }
  /** It could not be stored (in time). Nothing was stored, or the event was removed before its first attempt. */
  | { readonly kind: 'unavailable'; readonly text: string };

export interface OutboxSettings {
  readonly bytesMax: number;
  readonly eventsMax: number;
  readonly diskReserveBytes: number;
  /** Events a second to one target while it drains a backlog. */
  readonly drainRate: number;
  readonly allowedInternalTargets: readonly string[];
  readonly proxy: string | null;
  readonly proxyTargets: readonly string[];
}

/** The state that the outbox reports; direct calls are not part of it. */
export type OutboxNews = Omit<EgressNews, 'callsRefusedTo'>;

export interface OutboxOptions {
  /** The data folder: `outbox.sqlite` is in it. */
  readonly dataDir: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly settings: OutboxSettings;
  readonly log: Logger;
  onNews(news: OutboxNews): void;
  /** An event of the pipeline was stored; bytes of its body. */
  onStored?(by: Pick<OutboxLine, 'project' | 'pipeline'>, bytes: number): void;
}

/** The outbox for the gateway's main thread; created by `openOutbox` in outbox.ts. */
export interface Outbox {
  readonly control: EgressControl;
  /** Resolves with a handle; the line is stored with its first event at the latest. */
  open(line: OutboxLine): Promise<number>;
  /** The node was removed; its stored events are still sent. */
  release(line: number): void;
  /**
   * Stores an event and waits at most `waitMs` for its outcome. It is on disk before its first attempt. Resolves as
   * soon as the outcome is known, or cannot arrive within `waitMs`. Never rejects.
   */
  put(line: number, event: OutboxEvent, waitMs: number): Promise<OutboxOutcome>;
  configure(settings: OutboxSettings): Promise<void>;
  close(): Promise<void>;
}
