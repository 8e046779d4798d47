/**
 * Names that logged in recently, and their sources. Such a name has a separate lane at that source: there, only its own
 * failures slow it down, not those of others at the source, and not guesses at the name from other sources.
 *
 * A name that has not logged in since the start of the host has a lane at every source if, according to the vault, it
 * logged in within the last 30 days (the vault does not record the source); otherwise anyone could lock out everybody
 * after a restart.
 *
 * Limits: 4 sources per name, 1,000 names; beyond that, the least recently used is removed. Known weakness: at a source
 * that has to wait, a name with a lane can be distinguished from other names by its response.
 */
const DAY_MS = 24 * 60 * 60_000;
export const LANE_MS = 30 * DAY_MS;
export const LANE_SOURCES_MAX = 4;
export const LANE_NAMES_MAX = 1000;

export interface LogInLanes {
  /** `lastLoginAt`: from the vault, RFC 3339; null: never or unknown. */
  has(name: string, source: string, lastLoginAt: string | null): boolean;
  succeeded(name: string, source: string): void;
}

/** `elapsedMs`: of a clock that cannot be set; `now`: milliseconds since 1970. */
export function createLogInLanes(elapsedMs: () => number, now: () => number): LogInLanes {
  const sourcesByName = new Map<string, Map<string, number>>();
  return {
    has(name, source, lastLoginAt) {
      const sources = sourcesByName.get(name);
      if (sources === undefined) return lastLoginAt !== null && now() - Date.parse(lastLoginAt) < LANE_MS;
      const at = sources.get(source);
      return at !== undefined && elapsedMs() - at < LANE_MS;
    },
    succeeded(name, source) {
      const sources = sourcesByName.get(name) ?? new Map<string, number>();
      moveToEnd(sourcesByName, name, sources, LANE_NAMES_MAX);
      moveToEnd(sources, source, elapsedMs(), LANE_SOURCES_MAX);
    },
  };
}

/** The oldest entries are the first ones of a Map. */
function moveToEnd<T>(map: Map<string, T>, key: string, value: T, entriesMax: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > entriesMax && oldest !== undefined) map.delete(oldest);
}
