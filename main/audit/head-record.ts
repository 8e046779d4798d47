import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type { ChainHead } from '#common/model/audit.ts';
import { openLine, sealedLine } from './sealed-line.ts';

/**
 * The newest head of both chains as one line of JSON, to be kept outside the data folder (head-file.ts):
 * `{"time":…,"generation":…,"heads":[{"chain":…,"seq":…,"hash":…,"time":…}],"mac":…}`. `generation` is the vault's. The
 * MAC (HMAC-SHA-256, hex) covers everything before `,"mac"`, with a key that only the host has, so that foreign lines
 * are detected. It contains no secrets.
 */
export interface HeadRecord {
  /** RFC 3339, UTC. */
  time: string;
  generation: number;
  heads: readonly ChainHead[];
}

const FIRST_FIELD = '{"time":';
export const headSchema = z.object({
  chain: z.enum(['gateway', 'host']),
  seq: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  time: z.string(),
});
const recordSchema = z.object({
  time: z.string(),
  generation: z.number(),
  heads: z.array(headSchema).max(2),
});

/** 32 bytes, from those that seal the anchors file. */
export function headKey(anchorKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', anchorKey, Buffer.alloc(0), 'sluice journal heads', 32));
}

/** With its line feed. */
export function headLine(key: Buffer, { time, generation, heads }: HeadRecord): string {
  const kept = heads.map(({ chain, seq, hash, time: at }) => ({ chain, seq, hash, time: at }));
  return sealedLine(key, { time, generation, heads: kept });
}

export interface HeadsRead {
  /** Lines that this journal's host wrote; before the first row they have no heads. */
  records: number;
  /** The newest head of each chain that this journal's host wrote. */
  heads: ChainHead[];
  /** Lines in the format of a record whose MAC is not from this journal's key. */
  foreign: number;
}

/** Reads stored lines; a line in another format (an interrupted write) is skipped. */
export function readHeads(key: Buffer, text: string): HeadsRead {
  const newest = new Map<string, ChainHead>();
  let records = 0;
  let foreign = 0;
  for (const line of text.split('\n')) {
    const opened = line.startsWith(FIRST_FIELD) ? openLine(key, line) : null;
    if (opened === null) continue;
    if (!opened.genuine) {
      foreign += 1;
      continue;
    }
    records += 1;
    for (const head of headsOf(opened.json))
      if (head.seq >= (newest.get(head.chain)?.seq ?? 0)) newest.set(head.chain, head);
  }
  return { records, heads: [...newest.values()], foreign };
}

function headsOf(json: string): ChainHead[] {
  return recordSchema.safeParse(JSON.parse(json)).data?.heads ?? [];
}
