import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { isStale } from './stale.ts';

/**
 * Builds the admin UI into renderer/dist and prints the size of each file that a browser fetches first. `--if-stale`:
 * does nothing if the built page is newer than all of its sources, and prints one line otherwise. Exits with 1 if the
 * build fails or the first download is over its budget. In a read-only checkout, an existing page is used unchanged.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RENDERER = join(ROOT, 'renderer');
const DIST = join(RENDERER, 'dist');
const PAGE = join(DIST, 'index.html');
const SOURCES = [
  join(ROOT, 'common'),
  join(ROOT, 'package-lock.json'),
  join(ROOT, 'package.json'),
  fileURLToPath(import.meta.url),
];
/** Vite writes a copy of its configuration below node_modules. */
const WRITTEN = [RENDERER, join(ROOT, 'node_modules')];
/** JavaScript and style sheets that the page loads immediately, gzipped. */
const FIRST_DOWNLOAD_BYTES_MAX = 250 * 1024;

function sources(): string[] {
  const parts = readdirSync(RENDERER).filter((name) => name !== 'dist');
  return [...parts.map((name) => join(RENDERER, name)), ...SOURCES];
}

async function buildUi(): Promise<void> {
  // Vite reads the mode from here, and React omits its development code because of it.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  await build({ root: RENDERER, configFile: join(RENDERER, 'vite.config.ts'), logLevel: 'warn' });
}

/** The first unwritable folder of the build, with the system's reason; null if there is none. */
function unwritable(): string | null {
  for (const folder of WRITTEN) {
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      return `${folder} (${error instanceof Error && 'code' in error ? String(error.code) : 'no system error'})`;
    }
  }
  return null;
}

/** The scripts and style sheets named in the page, gzipped. */
function firstDownload(): { file: string; bytes: number }[] {
  const page = readFileSync(PAGE, 'utf8');
  const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '');
  return names.map((file) => ({ file, bytes: gzipSync(readFileSync(join(DIST, file))).byteLength }));
}

function reportSize(parts: ReturnType<typeof firstDownload>): void {
  for (const part of parts) console.log(`${kib(part.bytes)} gzipped  ${part.file}`);
  console.log(`${kib(totalBytes(parts))} gzipped  first download of the UI, at most ${kib(FIRST_DOWNLOAD_BYTES_MAX)}`);
}

/** A sentence if the built page is incomplete; null if it is not. */
function sizeProblem(parts: ReturnType<typeof firstDownload>): string | null {
  if (parts.length === 0) return 'The built page names no script; expected at least one under /assets.';
  const bytes = totalBytes(parts);
  if (bytes <= FIRST_DOWNLOAD_BYTES_MAX) return null;
  return `The first download of the UI is ${kib(bytes)} gzipped; expected at most ${kib(FIRST_DOWNLOAD_BYTES_MAX)}.`;
}

const totalBytes = (parts: ReturnType<typeof firstDownload>): number =>
  parts.reduce((sum, part) => sum + part.bytes, 0);

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

function withoutBuild(folder: string, ifStale: boolean): number {
  const usesOld = ifStale && existsSync(PAGE);
  console.error(
    usesOld
      ? `The admin UI is older than its sources and cannot be built: ${folder} cannot be written. It is used as it is.`
      : `The admin UI cannot be built: ${folder} cannot be written. Make the checkout writable and run "npm run build:ui" once.`,
  );
  return usesOld ? 0 : 1;
}

async function main(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => option !== '--if-stale');
  if (unknown !== undefined) {
    console.error(`build/ui.ts does not know ${unknown}; expected --if-stale or nothing.`);
    return 1;
  }
  const ifStale = options.includes('--if-stale');
  if (ifStale && !isStale(PAGE, sources())) return 0;
  const folder = unwritable();
  if (folder !== null) return withoutBuild(folder, ifStale);
  if (ifStale) console.error('Building the admin UI. This takes a few seconds.');
  await buildUi();
  const parts = firstDownload();
  if (!ifStale) reportSize(parts);
  const problem = sizeProblem(parts);
  if (problem !== null) console.error(problem);
  return problem === null ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
