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
  setNamed(alarms, 'plugin_trusted', trusted.map(named).join(', '));
  const refused = approved.flatMap((plugin) => {
    const state = states.find(({ id, version }) => id === plugin.id && version === plugin.manifest.version);
    return state === undefined || state.reason === null ? [] : [`${named(plugin)}: ${state.reason}`];
  });
  setNamed(alarms, 'plugin_not_loaded', refused.join('; '));
}

function setNamed(alarms: Alarms, code: string, plugins: string): void {
  alarms.set(code, plugins !== '', { values: { plugins }, subject: plugins });
}

function named({ id, manifest }: StoredPlugin): string {
  return `${manifest.name} (${id} ${manifest.version})`;
}
