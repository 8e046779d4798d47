import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSite } from './make.ts';

/** Builds the site and writes it to `folder`, replacing its content. Nothing is changed if the build fails. */
export async function writeSite(folder: string): Promise<number> {
  const site = await makeSite();
  rmSync(folder, { recursive: true, force: true });
  // The first page is written last: its time shows that all others are written.
  for (const [path, content] of site) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return site.size;
}
