import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.ts';

/**
 * `npm run docs:site`: the documentation as static pages in dist/docs, which the admin UI serves under /docs/.
 * `--if-stale`: does nothing when the pages are newer than their sources. Sluice starts without
 * them: with this flag, a failed build prints one line on stderr and is not an error.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(ROOT, 'dist', 'docs');
const SOURCES = ['docs', 'CHANGELOG.md', 'package.json', 'build/site', 'renderer/ui/tokens.css'];

async function main(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => option !== '--if-stale');
  if (unknown !== undefined) {
    console.error(`build/docs-site.ts does not know ${unknown}; expected --if-stale or nothing.`);
    return 1;
  }
  const forStart = options.includes('--if-stale');
  const sources = SOURCES.map((path) => join(ROOT, path));
  if (forStart && !isStale(join(SITE, 'index.html'), sources)) return 0;
  try {
    // Imported here, so that Sluice can start in an installation without the build tools.
    const { writeSite } = await import('./site/write.ts');
    const files = await writeSite(SITE);
    if (!forStart) console.log(`${files} files in ${SITE}`);
    return 0;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(`The documentation pages could not be made: ${why}`);
    return forStart ? 0 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
