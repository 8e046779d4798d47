import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import { createLogger } from '#common/node/log.ts';
import { openAudit, type AuditStore } from '../audit.ts';
import { verifyJournal } from '../verify-journal.ts';
import { until } from '#test/until.ts';

/** The files of a data folder that concern the journal, by path. */
export type Files = Map<string, Buffer>;

/**
 * A data folder with a journal of both chains, with closed, pruned and current segments: in its state after a clean
 * stop or a kill, with earlier states and the content of the vault. The secret is generated here and used only by
 * `verify`.
 */
export interface World {
  readonly clean: boolean;
  readonly files: Files;
  /** Earlier states, oldest first. */
  readonly earlier: readonly Files[];
  verify(folder: string): ReturnType<typeof verifyJournal>;
}

const CHAINS = ['gateway', 'host'] as const;
const SEGMENT_BYTES = 3_000;

/** `clean`: stopped cleanly; otherwise killed at a moment when everything was anchored. */
export async function makeWorld(folder: string, clean: boolean): Promise<World> {
  const anchorKey = randomBytes(32);
  const journal = join(folder, 'journal');
  const options = { folder: journal, anchorsFile: join(folder, 'anchors'), anchorKey };
  const earlier: Files[] = [];
  let heads: ChainHead[] = [];
  let killed: Files | null = null;
  for (let start = 0; start < 3; start++) {
    const audit = await openAudit({
      ...options,
      days: 90,
      maxBytes: 5_000,
      log: createLogger('forge', () => {}),
      anchorEveryMs: 20,
      heads,
      logExpected: start > 0,
      writer: { segmentBytesMax: SEGMENT_BYTES, durableEveryMs: 20, ackMsMax: 20_000 },
    });
    const gateway = await openWriter({
      folder: journal,
      chain: 'gateway',
      durability: 'process',
      segmentBytesMax: SEGMENT_BYTES,
      durableEveryMs: 20,
      ackMsMax: 20_000,
      onHead: (head, isClean) => audit.head(head, isClean),
      onState: () => {},
    });
    const isAnchored = (): boolean =>
      CHAINS.every((chain) => audit.heads().find((head) => head.chain === chain)?.seq === lastSeq(journal, chain));
    for (let n = 0; n < 60; n++) {
      const row = {
        time: new Date().toISOString(),
        type: n % 4 === 0 ? 'refusal' : 'use',
        requestId: `s${start}r${n}`,
      };
      await new Promise<void>((resolve) => gateway.append(JSON.stringify(row), () => resolve()));
      if (n % 10 === 0)
        await audit.record({ act: 'key.create', target: `k${n}`, user: 'Ada', detail: 'x'.repeat(100) });
    }
    // Pruning adds its own rows, which are anchored after it.
    do {
      await until('everything is anchored', isAnchored);
      await settled(audit);
    } while (!isAnchored());
    earlier.push(readFiles(folder));
    if (start === 2) killed = readFiles(folder);
    // As the vault knows them: of the last stop.
    if (start < 2 || clean) {
      await gateway.close();
      await audit.close();
      heads = audit.heads();
      earlier.push(readFiles(folder));
    } else {
      await gateway.close();
      await audit.close();
    }
  }
  const files = clean ? readFiles(folder) : (killed ?? new Map());
  const vaultHeads = heads;
  return {
    clean,
    files,
    earlier: earlier.slice(0, -1),
    verify: (where) =>
      verifyJournal({
        folder: join(where, 'journal'),
        anchorsFile: join(where, 'anchors'),
        anchorKey,
        vaultHeads,
        logExpected: true,
      }),
  };
}

/**
 * No pruning is in progress, and the anchors file has the newest record of the log: between two steps of a pruning
 * there are two files for a segment, and removing one of them changes nothing.
 */
async function settled(audit: Pick<AuditStore, 'verify'>): Promise<void> {
  // The first waits for a pruning in progress, the second writes the anchors after it.
  await audit.verify();
  await audit.verify();
}

function lastSeq(journal: string, chain: string): number {
  const names = fs.readdirSync(join(journal, chain)).filter((name) => /^\d{8}\.jsonl$/.test(name));
  const text = fs.readFileSync(join(journal, chain, names.toSorted().at(-1) ?? ''), 'latin1');
  return Number([...text.matchAll(/^\{"seal":(\d+)/gm)].at(-1)?.[1] ?? 0);
}

const OURS = /^(?:anchors|journal\/anchors\.jsonl|journal\/(?:gateway|host)\/\d+(?:\.part)?\.jsonl)$/;

export function readFiles(folder: string): Files {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return new Map(names.filter((name) => OURS.test(name)).map((name) => [name, fs.readFileSync(join(folder, name))]));
}

export function writeFiles(folder: string, files: Files): void {
  fs.rmSync(folder, { recursive: true, force: true });
  for (const chain of CHAINS) fs.mkdirSync(join(folder, 'journal', chain), { recursive: true });
  for (const [name, bytes] of files) fs.writeFileSync(join(folder, name), bytes);
}
