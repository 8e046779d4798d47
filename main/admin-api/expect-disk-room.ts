import { SluiceError } from '#common/errors/catalogue.ts';
import type { Services } from './call.ts';
import { stated } from '#common/errors/rules.ts';

/** Written to the log of the project store or the vault, then from there to the file. */
const WRITES = 2;

/**
 * For uploads of users, in bytes: the disk reserve applies to them as well as to data of pipelines. Throws
 * `disk_reserve`. Known weakness: concurrent uploads do not take each other into account.
 */
export function expectDiskRoom({ freeAboveReserve }: Pick<Services, 'freeAboveReserve'>, bytes: number): void {
  if (WRITES * bytes <= freeAboveReserve()) return;
  throw new SluiceError('disk_reserve', stated('disk_reserve'));
}

/** The approximate size when it is stored. */
export function storedBytes(sent: unknown): number {
  return JSON.stringify(sent).length;
}
