import type { PipelineRecord } from '#common/model/records.ts';
import type { PluginRecord } from '#api/plugins-queries.ts';

export type PluginState = 'waits' | 'loaded' | 'notLoaded';

export function stateOf({ approvedAt, loaded }: PluginRecord): PluginState {
  if (approvedAt === null) return 'waits';
  return loaded ? 'loaded' : 'notLoaded';
}

/** The exact confirmation for trusting the code of this plugin; null: not needed. */
export const confirmationOf = ({ id, trusted }: PluginRecord): string | null => (trusted ? `trust ${id}` : null);

export interface PluginUsers {
  /** They must be stopped first. */
  running: PipelineRecord[];
  stopped: PipelineRecord[];
}

/** Pipelines with nodes of the plugin's kinds, in any of its versions. */
export function usersOf(
  id: string,
  plugins: readonly PluginRecord[],
  pipelines: readonly PipelineRecord[],
): PluginUsers {
  const versions = plugins.filter((plugin) => plugin.id === id);
  const kinds = new Set(versions.flatMap((plugin) => plugin.kinds.map((kind) => kind.id)));
  const users = pipelines.filter(({ nodes }) => nodes.some(({ kind }) => kinds.has(kind)));
  return {
    running: users.filter(({ state }) => state === 'running'),
    stopped: users.filter(({ state }) => state !== 'running'),
  };
}
