import type { Sample, TagSink } from '../contract.ts';

export interface Recorded {
  readonly value: unknown;
  readonly quality: Sample['quality'];
  readonly reason: string | null;
  readonly time: number | null;
}

/** A sink that keeps the current value of each tag and all reports. */
export interface TagRecorder extends TagSink {
  readonly now: ReadonlyMap<string, Recorded>;
  readonly reports: readonly { path: string; is: Recorded }[];
  value(path: string): unknown;
  reason(path: string): string | null;
  isGood(path: string): boolean;
}

export function recordTags(): TagRecorder {
  const now = new Map<string, Recorded>();
  const reports: { path: string; is: Recorded }[] = [];
  const note = (path: string, is: Recorded) => {
    now.set(path, is);
    reports.push({ path, is });
  };
  return {
    now,
    reports,
    sample: (path, sample) => note(path, sample),
    lost(paths, reason) {
      for (const path of paths) note(path, { value: null, quality: 'bad', reason, time: null });
    },
    value: (path) => now.get(path)?.value,
    reason: (path) => now.get(path)?.reason ?? null,
    isGood: (path) => now.get(path)?.quality === 'good',
  };
}
