import type { DiskRoom } from './disk-meter.ts';

/** A disk that never fills up. */
export const ENDLESS_DISK: DiskRoom = {
  room: () => Infinity,
  reserve: () => 0,
  expectRoom: () => undefined,
  grew: () => undefined,
  charge: () => undefined,
  note: () => undefined,
  noteRow: () => undefined,
  forget: () => undefined,
};
