import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytesOf } from '#common/node/disk-space.ts';
import { WAL_BYTES_KEPT } from './limits.ts';

/**
 * Limits for the writes of one job into the WAL: `max_page_count` limits only the file, and each page that a statement
 * changes is written to the WAL first.
 */
export interface LogLimits {
  /** Bytes; at least WAL_BYTES_KEPT, so that data can be deleted on a disk without space. */
  readonly logBytesMax: number;
  /** Bytes that the disk must keep free while the WAL is larger than WAL_BYTES_KEPT. */
  readonly keepFreeBytes: number;
}

/** Bytes; 0 if there is no WAL. */
export function logBytesOf(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

export function overruns(file: string, { logBytesMax, keepFreeBytes }: LogLimits): boolean {
  const bytes = logBytesOf(file);
  if (bytes <= WAL_BYTES_KEPT) return false;
  if (bytes > logBytesMax) return true;
  return lacksSpace(file, keepFreeBytes);
}

/** Whether the disk of the file has fewer free bytes than this; a full disk always has. */
export function lacksSpace(file: string, bytes: number): boolean {
  const free = freeBytesOf(dirname(file));
  return free !== null && free < Math.max(bytes, WAL_BYTES_KEPT);
}
