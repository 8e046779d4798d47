import type { TagValue } from '#common/model/tag.ts';
import { NodeError } from '#sdk';

/**
 * The age contract of a read (docs/spec/nodes.md#age-of-values): throws NodeError `tag_stale` with the first value that
 * is bad, or older than `maxAge` seconds by the time of its source. Without `maxAge`, every value passes.
 */
export function refuseStale(
  values: readonly TagValue[],
  maxAge: number | undefined,
  deviceOf: (path: string) => string,
  nowMs = Date.now(),
): void {
  if (maxAge === undefined) return;
  for (const { path, quality, reason, time } of values) {
    const ageSeconds = time === null ? Infinity : (nowMs - Date.parse(time)) / 1000;
    if (quality !== 'bad' && ageSeconds <= maxAge) continue;
    const state = quality === 'bad' ? `is bad (${reason ?? 'no value'})` : `is ${Math.round(ageSeconds)} s old`;
    throw new NodeError('tag_stale', `${path} of ${deviceOf(path)} ${state}; expected at most ${maxAge} s`);
  }
}
