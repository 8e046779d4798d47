import type { PluginState } from '#common/model/plugin-manifest.ts';
import type { Alarms } from '../host/alarms.ts';
import type { StoredPlugin } from './plugin-store.ts';

/** Evaluated whenever the alarms are read. `states`: the last report of the gateway. */
export function setPluginsAlarms(
  alarms: Alarms,
  plugins: readonly StoredPlugin[],
  states: readonly PluginState[],
): void {
  const approved = plugins.filter(({ approvedAt }) => approvedAt !== null);
  const trusted = approved.filter(({ manifest }) => manifest.trusted);
  alarms.set(
    'plugin_trusted',
    trusted.length > 0,
    `Trusted plugins run in the gateway, outside the sandbox, with full access to Node: ${trusted.map(named).join(', ')}. Remove those that you do not need.`,
    { values: { plugins: trusted.map(named).join(', ') }, subject: trusted.map(named).join(', ') },
  );
  const refused = approved.flatMap((plugin) => {
    const state = states.find(({ id, version }) => id === plugin.id && version === plugin.manifest.version);
    return state === undefined || state.reason === null ? [] : [`${named(plugin)}: ${state.reason}`];
  });
  alarms.set(
    'plugin_not_loaded',
    refused.length > 0,
    `The gateway did not load these approved plugins: ${refused.join('; ')}. Pipelines that use their node kinds cannot start.`,
    { values: { plugins: refused.join('; ') }, subject: refused.join('; ') },
  );
}

function named({ id, manifest }: StoredPlugin): string {
  return `${manifest.name} (${id} ${manifest.version})`;
}
