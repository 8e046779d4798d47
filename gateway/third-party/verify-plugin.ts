import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginLoad } from '#common/model/plugin-manifest.ts';

/**
 * The code of an approved plugin: the bytes that were checked, not the file that may change after the check
 * (docs/spec/sandbox.md#plugins). Every pinned file must be there with the SHA-256 that it had when it was approved.
 * Throws an Error with a plain sentence.
 */
export async function verifiedCode({ folder, files, manifest }: PluginLoad): Promise<Uint8Array> {
  let code: Uint8Array | null = null;
  for (const [path, hash] of Object.entries(files)) {
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) throw new Error(`its file ${path} is missing; add the plugin again`);
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new Error(`its file ${path} is not what was approved; add the plugin again and approve it`);
    if (path === manifest.main) code = bytes;
  }
  if (code === null) throw new Error(`its main file ${manifest.main} was not approved`);
  return code;
}
