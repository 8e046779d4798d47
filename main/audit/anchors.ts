import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import { syncFolder } from '#common/node/journal/file-ops.ts';
import type { LogPosition } from './anchors-log.ts';

/**
 * The anchors file: the newest durable head of both chains, outside the journal and sealed with a key that is derived
 * from the DB secret, so that nobody who edits the files of the journal can adapt it (docs/spec/journal.md#tampering).
 *
 * Format: `SLCANCH1` (8 bytes, associated data), nonce (12, fresh per write), tag (16), AES-256-GCM of JSON `Anchors`.
 * Replaced atomically: temporary file, fsync, rename, fsync of the folder. `broken` remembers heads that the journal no
 * longer held when a newer one arrived; it is never cleared, because a newer head would otherwise hide that the tail
 * before it had been removed.
 */
export interface Anchors {
  heads: ChainHead[];
  broken: BrokenAnchor[];
  /** The newest record of the anchors log (anchors-log.ts). Files of releases up to 1.1 have none. */
  log?: LogPosition;
  /**
   * The record that was about to be the newest: of a clean stop, after which a log has no records, or the last one of a
   * log that was being rewritten.
   */
  next?: LogPosition;
}

export interface BrokenAnchor {
  head: ChainHead | null;
  noticedAt: string;
  /** A plain sentence. */
  what: string;
}

/** In the data folder. */
export const ANCHORS_FILE = 'anchors';
/** The purpose of the key that seals it, for `vault.derive`. */
export const ANCHORS_PURPOSE = 'anchors';
export const BROKEN_MAX = 100;
export const CHAINS: readonly ChainName[] = ['gateway', 'host'];
const MAGIC = Buffer.from('SLCANCH1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealHeads(key: Buffer, anchors: Anchors): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(MAGIC);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(anchors), 'utf8'), cipher.final()]);
  return Buffer.concat([MAGIC, nonce, cipher.getAuthTag(), sealed]);
}

/** Throws if the bytes are not anchors, were changed, or were encrypted with another key. */
export function openHeads(key: Buffer, bytes: Buffer): Anchors {
  const headBytes = MAGIC.length + NONCE_BYTES + TAG_BYTES;
  if (bytes.length <= headBytes || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error('this is no anchors file');
  const nonce = bytes.subarray(MAGIC.length, MAGIC.length + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(MAGIC);
  decipher.setAuthTag(bytes.subarray(MAGIC.length + NONCE_BYTES, headBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString('utf8');
  return JSON.parse(text) as Anchors;
}

export type AnchorsRead = { kind: 'read'; anchors: Anchors } | { kind: 'missing' } | { kind: 'unreadable' };

export function readAnchors(file: string, key: Buffer): AnchorsRead {
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : null;
  if (bytes === null) return { kind: 'missing' };
  try {
    return { kind: 'read', anchors: openHeads(key, bytes) };
  } catch {
    return { kind: 'unreadable' };
  }
}

export async function writeAnchors(file: string, key: Buffer, anchors: Anchors): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await fs.promises.open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(sealHeads(key, anchors));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.promises.rename(temporary, file);
  syncFolder(dirname(file));
}
