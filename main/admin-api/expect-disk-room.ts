import { SluiceError } from '#common/errors/catalogue.ts';
import type { Services } from './call.ts';
import { stated } from '#common/errors/rules.ts';

/** Into the log of the project store or the vault, then from there into the file. */
const WRITES = 2;

/**
 * For what people upload, in bytes: the reserve is kept from it as from what pipelines store. Throws `disk_reserve`.
 * Known weakness: uploads at the same time do not know of each other.
 */
export function expectDiskRoom({ freeAboveReserve }: Pick<Services, 'freeAboveReserve'>, bytes: number): void {
  if (WRITES * bytes <= freeAboveReserve()) return;
  throw new SluiceError('disk_reserve', stated('disk_reserve'));
}

/** About what it takes when it is stored. */
export function storedBytes(sent: unknown): number {
  return JSON.stringify(sent).length;
}
