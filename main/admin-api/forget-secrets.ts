import type { Services } from './call.ts';

/** Removes secrets that are no longer referenced. Those that cannot be removed now are removed at the next start. */
export async function forget({ secrets, log }: Services, refs: readonly string[]): Promise<void> {
  try {
    await secrets.remove(refs);
  } catch (error) {
    log.warn('secrets that nothing refers to stay in the vault until the next start', { count: refs.length, error });
  }
}
