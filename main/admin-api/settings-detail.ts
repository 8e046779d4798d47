import { clip } from '#common/clip.ts';
import { type Settings, WRITE_ONLY_SETTINGS } from '#common/model/settings.ts';

/**
 * A change of settings as recorded in the journal, such as `journalDays: 30 → 45; metricsToken: none → secret`. Values
 * are JSON, clipped to 100 characters.
 */
const VALUE_CHARS_MAX = 100;
const WRITE_ONLY: ReadonlySet<string> = new Set(WRITE_ONLY_SETTINGS);

export function settingsDetail(before: Settings, patch: Partial<Settings>): string {
  const names = (Object.keys(patch) as (keyof Settings)[]).map(
    (name) => `${name}: ${shown(name, before[name])} → ${shown(name, patch[name])}`,
  );
  return names.join('; ') || 'nothing';
}

/** Earlier releases recorded only the names, separated by commas. */
export function changesSetting(detail: string, name: keyof Settings): boolean {
  return detail.split(', ').includes(name) || `; ${detail}`.includes(`; ${name}: `);
}

function shown(name: keyof Settings, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (WRITE_ONLY.has(name)) return 'secret';
  return clip(JSON.stringify(value), VALUE_CHARS_MAX);
}
