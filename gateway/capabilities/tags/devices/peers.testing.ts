import { onTestFinished } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import type { TagProvider } from '../contract.ts';

/** The device of a test; it ends with the test. */
export async function peer<T extends { kill(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(() => started.kill());
  return started;
}

export const write = (provider: TagProvider, tag: TagDefinition, value: unknown): Promise<void> =>
  provider.write(tag, value, AbortSignal.timeout(8_000));
