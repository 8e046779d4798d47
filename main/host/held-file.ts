import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fdatasyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import type { Logger } from '#common/node/log.ts';

export const HELD_FILE = 'held-changes';
export const HELD_PURPOSE = 'held-changes';
/** About 100 changes. */
export const HELD_BYTES_MAX = 64 * 1024;
const FILE_BYTES = 2 * HELD_BYTES_MAX;
const HEADER_CHARS_MAX = 100;
const HEADER = /^([0-9a-f]{64}) (\d{1,15}) (\d{1,5})\n/;

/**
 * Changes that are in effect but not saved, on a full disk: `<data>/held-changes`, a file of fixed size that is written
 * in place, so that it needs no new space. Two slots are written alternately, each `MAC number length`, a line feed and
 * JSON: a power cut leaves the other one intact. The key is derived from the DB secret, so nobody who can only write
 * the folder can add a change.
 *
 * Limits: HELD_BYTES_MAX of JSON; `write` returns false beyond. A program that can write the folder can remove the file
 * or restore an older one. The vault has the number of the newest slot from each of its writes, so that the next start
 * finds both and raises `store_lost` (stores.ts). Known weaknesses: while the vault cannot be written it lacks the
 * latest numbers, so a file from after its last write, without the newest changes, is not detected; only the log names
 * them. A copy-on-write file system, such as Btrfs or ZFS, needs space nevertheless.
 */
export interface HeldFile {
  /** As last written. */
  readonly records: readonly unknown[];
  /** False: they could not be written; the previous content is unchanged. */
  write(records: readonly unknown[]): boolean;
}

/** Only in memory. */
export const NO_HELD_FILE: HeldFile = { records: [], write: () => false };

interface Slot {
  readonly number: number;
  readonly records: unknown[];
}

/** The number of the newest slot; null: the file is missing, or none of its slots is valid. */
export function heldNumber(dataDir: string, key: Buffer): number | null {
  const path = join(dataDir, HELD_FILE);
  return isWhole(path) ? (newestOf(readFileSync(path), key)?.number ?? null) : null;
}

/**
 * Creates the file if it does not exist and the disk has space. `name`: of a file for another purpose, with its own
 * key.
 */
export function openHeldFile(dataDir: string, key: Buffer, log: Logger, name: string = HELD_FILE): HeldFile {
  const path = join(dataDir, name);
  let newest: Slot = { number: 0, records: [] };
  try {
    if (isWhole(path)) {
      const found = newestOf(readFileSync(path), key);
      if (found === null)
        log.error('entries that were not saved before Sluice ended are lost: the file is damaged', { path });
      newest = found ?? newest;
    } else make(path);
  } catch (error) {
    log.error('entries that cannot be saved do not survive a restart', { path, error });
  }
  if (newest.number === 0) write([]);

  function write(records: readonly unknown[]): boolean {
    const bytes = slotOf({ number: newest.number + 1, records: [...records] }, key);
    if (bytes.length > HELD_BYTES_MAX) return false;
    try {
      const file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        writeSync(file, bytes, 0, bytes.length, ((newest.number + 1) % 2) * HELD_BYTES_MAX);
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      log.error('entries that cannot be saved could not be kept in this file either', { path, error });
      return false;
    }
    newest = { number: newest.number + 1, records: [...records] };
    return true;
  }

  return { records: newest.records, write };
}

function isWhole(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === FILE_BYTES;
}

/** Random bytes, because a file system may store zeros without using space. */
function make(path: string): void {
  rmSync(path, { force: true, recursive: true });
  const file = openSync(path, 'wx', PRIVATE_FILE_MODE);
  try {
    writeSync(file, randomBytes(FILE_BYTES));
    fdatasyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function newestOf(bytes: Buffer, key: Buffer): Slot | null {
  const slots = [0, HELD_BYTES_MAX].map((at) => readSlot(bytes.subarray(at, at + HELD_BYTES_MAX), key));
  return slots.reduce((best, slot) => ((slot?.number ?? -1) > (best?.number ?? -1) ? slot : best), null);
}

function slotOf({ number, records }: Slot, key: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(records));
  return Buffer.concat([Buffer.from(`${macOf(key, number, text)} ${number} ${text.length}\n`), text]);
}

function readSlot(bytes: Buffer, key: Buffer): Slot | null {
  const [header = '', mac = '', number = '', length = ''] =
    HEADER.exec(bytes.toString('latin1', 0, HEADER_CHARS_MAX)) ?? [];
  if (header === '') return null;
  const text = bytes.subarray(header.length, header.length + Number(length));
  if (!timingSafeEqual(Buffer.from(mac, 'hex'), Buffer.from(macOf(key, Number(number), text), 'hex'))) return null;
  return { number: Number(number), records: JSON.parse(text.toString()) as unknown[] };
}

function macOf(key: Buffer, number: number, text: Buffer): string {
  return createHmac('sha256', key).update(`${number} ${text.length}\n`).update(text).digest('hex');
}
