import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '#test/paths.ts';
import { makeBundle } from '../build/package/bundle.ts';
import { SERVICE_ENTRIES } from '../build/package/entries.ts';
import { manifest } from '../build/package/places.ts';
import { DATA_FOLDERS } from '../build/package/started-by-path.ts';
import { cheapHashes } from './cheap-hashes.ts';

export interface BundledPrograms extends AsyncDisposable {
  /** The folder in `SLUICE_TEST_PROGRAMS`. */
  readonly folder: string;
}

/**
 * The programs of the service as a package has them, in a new folder below `dist`. Data folders are links, because
 * tests read the latest build; so is `node_modules`, because the gateway may read only beside its code.
 */
export async function bundlePrograms(): Promise<BundledPrograms> {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const tree = await mkdtemp(join(ROOT, 'dist', 'test-'));
  const remove = () => rm(tree, { recursive: true, force: true });
  try {
    await makeBundle(SERVICE_ENTRIES, join(tree, 'app'), manifest().version, [cheapHashes()]);
    for (const [source, packed] of Object.entries({ ...DATA_FOLDERS, node_modules: 'node_modules' })) {
      mkdirSync(dirname(join(tree, packed)), { recursive: true });
      symlinkSync(join(ROOT, source), join(tree, packed));
    }
    writeFileSync(join(tree, 'package.json'), '{ "type": "module" }\n');
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder: join(tree, 'app'), [Symbol.asyncDispose]: remove };
}
