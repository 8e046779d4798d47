import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';

/** A plugin `acme` with one kind `acme-scale`, as an archive; `more` overrides fields of its manifest. */
export async function pluginArchive(more: object = {}, code = 'export default {}'): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-plugin-'));
  try {
    const kinds = [{ id: 'acme-scale', title: 'Scale', summary: 'Scales a value.', scopes: ['tag:read'] }];
    const manifest = { id: 'acme', name: 'Acme', version: '1.0.0', capabilities: ['tag:read'], kinds, ...more };
    writeFileSync(join(folder, 'sluice-plugin.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'index.js'), code);
    const file = join(folder, 'plugin.tgz');
    await create({ gzip: true, cwd: folder, portable: true, file }, ['sluice-plugin.json', 'index.js']);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
