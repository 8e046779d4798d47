import { NodeError } from '#sdk';
import type { ProjectTags } from './project-tags.ts';

const NAMED_MAX = 20;

/**
 * Writes in the given order, each after the previous write was accepted. Throws NodeError with the code of the first
 * failed write; its message names the successful ones. Stops between two writes if `signal` is aborted.
 */
export async function writeMany(
  tags: Pick<ProjectTags, 'write'>,
  writes: readonly { readonly path: string; readonly value?: unknown }[],
  signal: AbortSignal,
): Promise<void> {
  for (const [index, { path, value }] of writes.entries()) {
    if (signal.aborted) return;
    try {
      await tags.write(path, value, signal);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const done = writes.slice(0, index).map((write) => write.path);
      throw new NodeError(error.code, `${error.message}; ${writtenText(done)}`, { cause: error });
    }
  }
}

function writtenText(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing was written';
  const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : '';
  return `written before it: ${paths.slice(0, NAMED_MAX).join(', ')}${more}`;
}
