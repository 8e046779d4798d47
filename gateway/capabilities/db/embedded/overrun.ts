import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytesOf } from '#common/node/disk-space.ts';
import { WAL_BYTES_KEPT } from './limits.ts';

/**
 * Limits of one job's writes into the log beside the database file: `max_page_count` limits only the file, and each
 * page that a statement changes is in the log first.
 */
export interface LogLimits {
  /** Bytes; at least WAL_BYTES_KEPT, so that something can be deleted on a disk without room. */
  readonly logBytesMax: number;
  /** Bytes that the disk must keep free while the log is larger than WAL_BYTES_KEPT. */
  readonly keepFreeBytes: number;
}

/** Bytes; 0 when there is no log. */
export function logBytesOf(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

export function overruns(file: string, { logBytesMax, keepFreeBytes }: LogLimits): boolean {
  const bytes = logBytesOf(file);
  if (bytes <= WAL_BYTES_KEPT) return false;
  if (bytes > logBytesMax) return true;
  const free = freeBytesOf(dirname(file));
  return free !== null && free < keepFreeBytes;
}
