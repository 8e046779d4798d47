import { create } from 'tar';
import type { TreeFile } from './tree-files.ts';

/** Every file in an archive has this time, so that the same sources give the same bytes. */
const SAME_TIME = new Date('2000-01-01T00:00:00Z');

/** A `.tar.gz` of `folder`'s files below a folder `prefix`, owned by nobody in particular. */
export async function writeTarball(
  file: string,
  folder: string,
  files: readonly TreeFile[],
  prefix: string,
): Promise<void> {
  const options = { file, cwd: folder, prefix, gzip: { level: 9 }, portable: true, mtime: SAME_TIME };
  await create(
    options,
    files.map(({ path }) => path),
  );
}
