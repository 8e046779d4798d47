import { DIGEST_CHARS, type PluginRecord } from '#common/contract/plugin-records.ts';
import type { PluginState } from '#common/model/plugin-manifest.ts';
import type { StoredPlugin } from './plugin-store.ts';

/** For the journal: the versions that an action affects, all versions of the plugin unless a digest is given. */
export function actDetail(plugins: readonly PluginRecord[], id: string, digest?: string): string {
  const meant = plugins.filter((plugin) => plugin.id === id && (digest === undefined || plugin.digest === digest));
  return meant.length === 0 ? (digest ?? '').slice(0, DIGEST_CHARS) : meant.map(versionText).join(', ');
}

export function versionText({ version, digest }: { version: string; digest: string }): string {
  return `${version} ${digest}`;
}

/** The gateway's last report about its plugins; null: no gateway is running. */
export type GatewayPlugins = readonly PluginState[] | null;

export function recordOf(plugin: StoredPlugin, states: GatewayPlugins): PluginRecord {
  const { id, digest, manifest, hashes, addedAt, addedBy, approvedAt, approvedBy } = plugin;
  const reason = whyNotLoaded(plugin, states);
  return {
    id,
    version: manifest.version,
    name: manifest.name,
    publisher: manifest.publisher,
    digest,
    files: Object.entries(hashes).map(([path, sha256]) => ({ path, sha256 })),
    kinds: manifest.kinds.map(({ id: kind, title, summary, scopes }) => ({ id: kind, title, summary, scopes })),
    capabilities: manifest.capabilities,
    targets: manifest.targets,
    trusted: manifest.trusted,
    addedAt,
    addedBy,
    approvedAt,
    approvedBy,
    loaded: reason === null,
    reason,
  };
}

function whyNotLoaded({ id, manifest, approvedAt }: StoredPlugin, states: GatewayPlugins): string | null {
  if (approvedAt === null) return 'it waits for approval';
  if (states === null) return 'the gateway is not running';
  const state = states.find((one) => one.id === id && one.version === manifest.version);
  return state === undefined ? 'the gateway has not loaded it yet' : state.reason;
}
