import { watch } from 'node:fs';
import { sep } from 'node:path';

/** Editors write a file in several steps. */
const QUIET_MS = 200;

/**
 * Calls `changed` after changes below the folder have paused, one call at a time; changes during a call lead to one
 * more. Resolves when `stop` aborts and no call is in progress.
 */
export async function watchFolder(
  folder: string,
  ignored: ReadonlySet<string>,
  changed: () => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  let wake = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    const [top = ''] = (name ?? '').split(sep);
    if (!ignored.has(top) && !top.startsWith('.') && !top.endsWith('.tgz')) wake.resolve();
  });
  stop.addEventListener('abort', () => wake.resolve(), { once: true });
  try {
    while (!stop.aborted) {
      await wake.promise;
      if (stop.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      wake = Promise.withResolvers();
      if (stop.aborted) return;
      await changed();
    }
  } finally {
    watcher.close();
  }
}
