import { z } from 'zod';
import type { PluginState } from '#common/model/plugin-manifest.ts';
import { SCOPES } from '#common/scopes.ts';
import type { StoredPlugin } from './plugin-store.ts';

/** Of a SHA-256 in hex. */
export const DIGEST_CHARS = 64;
const scopeNames = z.array(z.enum(SCOPES));
const time = z.iso.datetime();

/** One version of a plugin as people see it: what it is, what it asks for, who let it in and what became of it. */
export const pluginRecord = z.strictObject({
  id: z.string(),
  version: z.string(),
  name: z.string(),
  publisher: z.string(),
  digest: z.string().meta({ description: 'SHA-256 over the paths and hashes of all files: what an approval is of.' }),
  files: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  kinds: z.array(z.strictObject({ id: z.string(), title: z.string(), summary: z.string(), scopes: scopeNames })),
  capabilities: scopeNames,
  targets: z.array(z.string()).meta({ description: 'host:port that it may call with http.request.' }),
  trusted: z.boolean().meta({ description: 'True = it asks to run in the gateway with all that Node can do.' }),
  addedAt: time,
  addedBy: z.string(),
  approvedAt: time.nullable().meta({ description: 'Null = this version waits for approval and is not used.' }),
  approvedBy: z.string().nullable(),
  loaded: z.boolean(),
  reason: z.string().nullable().meta({ description: 'Why it is not loaded; null when it is.' }),
});
export type PluginRecord = z.infer<typeof pluginRecord>;

/** A version that was just approved, and who still runs the one before. */
export const approvedPlugin = pluginRecord.extend({
  restart: z
    .array(z.strictObject({ project: z.string(), pipeline: z.string() }))
    .meta({ description: 'Running pipelines that keep the former version until they are started again.' }),
});
export type ApprovedPlugin = z.infer<typeof approvedPlugin>;

/** For the journal: the versions that an act is about, all of the plugin's unless a digest is given. */
export function actDetail(plugins: readonly PluginRecord[], id: string, digest?: string): string {
  const meant = plugins.filter((plugin) => plugin.id === id && (digest === undefined || plugin.digest === digest));
  return meant.length === 0 ? (digest ?? '').slice(0, DIGEST_CHARS) : meant.map(versionText).join(', ');
}

export function versionText({ version, digest }: { version: string; digest: string }): string {
  return `${version} ${digest}`;
}

/** The gateway's last report about its plugins; null = no gateway is running. */
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
