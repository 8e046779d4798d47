import type { DeviceFigures } from '#common/control/messages.ts';
import type { TagDefinition, TagQuality, TagSource, TagValue } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import type { SendBefore } from './send-before.ts';

/** One value from a source. `time` is the time of the source, or of the arrival, in milliseconds since 1970. */
export interface Sample {
  readonly value: unknown;
  readonly quality: TagQuality;
  /** Why the quality is not good; null if it is good. */
  readonly reason: string | null;
  readonly time: number;
  /**
   * True: `time` is the time of arrival by the gateway's clock. Later samples are newer, even if the clock was set
   * back.
   */
  readonly arrived?: true;
}

/** A tag whose source belongs to one provider. */
export type TagOf<P extends TagSource['provider']> = TagDefinition & {
  readonly source: Extract<TagSource, { provider: P }>;
};

/**
 * Receives the values of a provider. Values are converted to the type of the tag here (a text "7" for a number tag has
 * bad quality, `type_mismatch`), so a provider passes on the value after its own decoding and scaling.
 */
export interface TagSink {
  sample(path: string, sample: Sample): void;
  /**
   * The source of these tags is not available: each reads bad with this reason until its next sample. Called as soon as
   * a device is lost, not only at the next poll.
   */
  lost(paths: Iterable<string>, reason: string): void;
}

/**
 * A source of tags: one per project and connection, or one per project for those without. Created once, configured with
 * the complete list of its tags whenever it changes, closed once.
 *
 * A provider connects automatically in the background and retries indefinitely, with back-off (RECONNECT_MS_MIN
 * doubling to RECONNECT_MS_MAX, ±20 %); nothing here throws because a device is offline.
 */
export interface TagProvider {
  configure(tags: readonly TagDefinition[]): void;
  /**
   * Resolves when the source has accepted the value; throws NodeError `device_unreachable`, `target_refused`,
   * `tag_write_failed`, `tag_read_only`; `interlock` instead of sending it after `sendBefore`.
   */
  write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore?: SendBefore): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderParts {
  readonly project: string;
  readonly sink: TagSink;
  readonly log: Logger;
}

export type TagListener = (value: TagValue) => void;

/** Tag figures for the metrics. */
export interface TagFigures {
  /** By connection; at most FIGURES_MAX. */
  devices(): DeviceFigures[];
}

/** Live tags for the rest of the gateway: through the broker for runs, directly for the historian and the host. */
export interface Tags {
  has(project: string, path: string): boolean;
  /** Throws NodeError `tag_unknown`. */
  read(project: string, path: string): TagValue;
  /**
   * Every tag that a path or pattern matches, without duplicates, in the order of the list; a path that matches no tag
   * throws `tag_unknown`.
   */
  readMany(project: string, patterns: readonly string[]): TagValue[];
  /**
   * Reports each new sample of matching tags, including tags that are created later, beginning with the current values;
   * returns a function that ends it. The listener must not throw and must return quickly.
   */
  watch(project: string, patterns: readonly string[], listener: TagListener): () => void;
}
