import type { Services } from './call.ts';

/** Nothing refers to them any more: what cannot be removed now is removed at the next start. */
export async function forget({ secrets, log }: Services, refs: readonly string[]): Promise<void> {
  try {
    await secrets.remove(refs);
  } catch (error) {
    log.warn('secrets that nothing refers to stay in the vault until the next start', { count: refs.length, error });
  }
}
