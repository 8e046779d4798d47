import { create } from 'tar';
import type { TreeFile } from './tree-files.ts';

/** The time of every file in an archive, so that the same sources produce the same bytes. */
const SAME_TIME = new Date('2000-01-01T00:00:00Z');

/** A `.tar.gz` of the files in `folder` below a folder `prefix`, without a specific owner. */
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
