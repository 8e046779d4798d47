import { join, relative, sep } from 'node:path';
import type { ViteDevServer } from 'vite';
import { ROOT } from '../package/places.ts';

const FOLDERS = ['common', 'gateway', 'main', 'plugins'];
const SETTLE_MS = 100;

/** Texts that only the pages load; Vite updates them in the browser. */
const PAGE_TEXT = /^common\/languages\/[^/]+\/(?:ui|kinds)(?:\.ts$|\/)/;

/** Folders whose code only the gateway uses. */
const GATEWAY_FOLDER = /^(?:gateway|plugins)\//;

/** Which of the two must be restarted. */
export type Part = 'host' | 'gateway';

/** Calls `changed` when sources of the host or the gateway have been saved, once for several files. */
export function watchSources({ watcher }: ViteDevServer, changed: (part: Part) => void): void {
  watcher.add(FOLDERS.map((folder) => join(ROOT, folder)));
  let timer: NodeJS.Timeout | undefined;
  let part: Part = 'gateway';
  watcher.on('all', (_event, path) => {
    const file = relative(ROOT, path).split(sep).join('/');
    if (!isSource(file)) return;
    if (!GATEWAY_FOLDER.test(file)) part = 'host';
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed(part);
      part = 'gateway';
    }, SETTLE_MS);
  });
}

/** Tests, the programs that they start and texts of the pages are not part of a running host. */
export function isSource(file: string): boolean {
  const [folder = ''] = file.split('/');
  if (!FOLDERS.includes(folder) || !/\.(?:ts|json)$/.test(file)) return false;
  return !PAGE_TEXT.test(file) && !/\.test\.ts$|\.testing\.ts$|\/testing\//.test(file);
}
