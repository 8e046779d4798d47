import { NodeError } from '#sdk';
import { PartlyWritten } from '../writes/partly-written.ts';
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
    if (signal.aborted) {
      const error = new NodeError('call_cancelled', 'the run ended');
      throw new PartlyWritten(error, error.message, index);
    }
    try {
      await tags.write(path, value, signal);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const done = writes.slice(0, index).map((write) => write.path);
      throw new PartlyWritten(error, `${error.message}; ${writtenText(done)}`, index);
    }
  }
}

function writtenText(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing was written';
  const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : '';
  return `written before it: ${paths.slice(0, NAMED_MAX).join(', ')}${more}`;
}
