import { z } from 'zod';
import { SCOPES } from '../scopes.ts';

/** Hex digits of a SHA-256. */
export const DIGEST_CHARS = 64;
const scopeNames = z.array(z.enum(SCOPES));
const time = z.iso.datetime();

/**
 * One version of a plugin as users see it: its content, the rights that it requests, who approved it and its current
 * state.
 */
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
  trusted: z.boolean().meta({ description: 'True = it asks to run in the gateway with full access to Node.' }),
  addedAt: time,
  addedBy: z.string(),
  approvedAt: time.nullable().meta({ description: 'Null = this version waits for approval and is not used.' }),
  approvedBy: z.string().nullable(),
  loaded: z.boolean(),
  reason: z.string().nullable().meta({ description: 'Why it is not loaded; null when it is.' }),
});
export type PluginRecord = z.infer<typeof pluginRecord>;

/** A version that was just approved, and the pipelines that still run the previous one. */
export const approvedPlugin = pluginRecord.extend({
  restart: z
    .array(z.strictObject({ project: z.string(), pipeline: z.string() }))
    .meta({ description: 'Running pipelines that keep the previous version until they are started again.' }),
});
export type ApprovedPlugin = z.infer<typeof approvedPlugin>;
