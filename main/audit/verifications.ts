import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import { replaceFile } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import type { Audit, VerifyReport } from '../contracts.ts';
import { type Proof, proofLine, proofOf, readProof } from './proof.ts';

/**
 * Verifications that leave evidence (docs/spec/journal.md#proof): a row of the host's chain, a proof file, and the same
 * proof in the vault, which nobody can remove with access to the folder alone. The next start reads both. One runs at a
 * time; a concurrent request gets its report.
 */
export const PROOF_FILE = 'proof.json';

/** The part of the vault that keeps the last proof. */
export interface KeptProof {
  /** The line of the proof; null: none was kept. */
  known(): string | null;
  remember(line: string): Promise<void>;
}

interface VerificationsOptions {
  /** `<data>/journal` */
  folder: string;
  key: Buffer;
  kept: KeptProof;
  verify(): Promise<VerifyReport>;
  record: Audit['record'];
  heads(): ChainHead[];
  oldest(): Promise<string | null>;
  log: Logger;
}

const NOT_SAVED = 'the proof of a verification was not saved';
const NOT_RECORDED = 'a verification could not be recorded in the audit journal';

type Asker = Parameters<Audit['verifyAndRecord']>[0];

export class Verifications {
  readonly #options: VerificationsOptions;
  readonly #file: string;
  #running: Promise<VerifyReport> | null = null;
  #last: Proof | null;
  /** The fault of the file at the start; null: none. */
  #missing: string | null = null;

  constructor(options: VerificationsOptions) {
    this.#options = options;
    this.#file = join(options.folder, PROOF_FILE);
    const [inFile, inVault] = [this.#read(readFile(this.#file)), this.#read(options.kept.known())];
    // The vault may be older: it was restored, or could not be written.
    const isOlder = inVault !== null && (inFile === null || Date.parse(inFile.at) < Date.parse(inVault.at));
    this.#last = isOlder ? inVault : inFile;
    if (isOlder)
      this.#missing = `${PROOF_FILE} of the verification of ${inVault.at} was removed or replaced; the vault has a copy.`;
  }

  /** Writes the file of the vault's proof again if it was removed, and records that in the journal. */
  async restoreFile(): Promise<void> {
    const { record, kept, log } = this.#options;
    const line = kept.known();
    if (this.#missing === null || line === null) return;
    log.error('the proof of the last verification was removed or replaced', { file: this.#file });
    await this.#write(line).catch((error: unknown) => log.warn(NOT_SAVED, { error }));
    const row = { act: 'journal.tampered', target: 'journal', detail: this.#missing };
    await record(row).catch((error: unknown) => log.warn(NOT_RECORDED, { error }));
  }

  /** Findings of the last verification and of its file, each a sentence. */
  findings(): readonly string[] {
    return [...(this.#last?.findings ?? []), ...(this.#missing === null ? [] : [this.#missing])];
  }

  get running(): boolean {
    return this.#running !== null;
  }

  last(): Proof | null {
    return this.#last;
  }

  /** The proof of the last verification as a file; null: there was none. */
  proof(): string | null {
    return this.#last && proofLine(this.#options.key, this.#last);
  }

  run(who: Asker): Promise<VerifyReport> {
    this.#running ??= this.#run(who).finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(who: Asker): Promise<VerifyReport> {
    const { verify, heads, oldest, log } = this.#options;
    const at = new Date().toISOString();
    const from = await oldest();
    const report = await verify();
    const proof = proofOf(report, { at, by: who.user, from, anchors: heads() });
    this.#last = proof;
    this.#missing = null;
    // The report was requested: a full disk must not prevent it.
    await this.#keep(proof).catch((error: unknown) => log.warn(NOT_SAVED, { error }));
    await this.#record(who, proof).catch((error: unknown) => log.warn(NOT_RECORDED, { error }));
    return report;
  }

  /**
   * The file first: if only one of both can be written, the file is the newer one. A file that somebody has made
   * unwritable does not keep the proof out of the vault.
   */
  async #keep(proof: Proof): Promise<void> {
    const line = proofLine(this.#options.key, proof);
    try {
      await this.#write(line);
    } finally {
      await this.#options.kept.remember(line);
    }
  }

  #write(line: string): Promise<void> {
    return replaceFile(this.#file, Buffer.from(line));
  }

  #record(who: Asker, { rows, findingCount, chains }: Proof): Promise<void> {
    const heads = chains.flatMap(({ chain, head }) => (head === null ? [] : [`${chain} up to batch ${head.seq}`]));
    const detail = [`${rows} rows`, `${findingCount} findings`, ...heads].join(', ');
    return this.#options.record({ ...who, act: 'journal.verify', target: 'journal', detail, status: 200 });
  }

  /** A text that is missing or not genuine counts as none: the next verification replaces it. */
  #read(text: string | null): Proof | null {
    try {
      return text === null ? null : readProof(this.#options.key, text);
    } catch {
      return null;
    }
  }
}

function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
