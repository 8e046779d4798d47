import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import { replaceFile } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import type { Audit, VerifyReport } from '../contracts.ts';
import { type Proof, proofLine, proofOf, readProof } from './proof.ts';

/**
 * Verifications that leave evidence (docs/spec/journal.md#proof): a row of the host's chain and a proof file, which the
 * next start reads. One runs at a time; a concurrent request gets its report.
 */
export const PROOF_FILE = 'proof.json';

interface VerificationsOptions {
  /** `<data>/journal` */
  folder: string;
  key: Buffer;
  verify(): Promise<VerifyReport>;
  record: Audit['record'];
  heads(): ChainHead[];
  oldest(): Promise<string | null>;
  log: Logger;
}

type Asker = Parameters<Audit['verifyAndRecord']>[0];

export class Verifications {
  readonly #options: VerificationsOptions;
  readonly #file: string;
  #running: Promise<VerifyReport> | null = null;
  #last: Proof | null;

  constructor(options: VerificationsOptions) {
    this.#options = options;
    this.#file = join(options.folder, PROOF_FILE);
    this.#last = this.#read();
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
    // The report was requested: a full disk must not prevent it.
    await this.#keep(proof).catch((error: unknown) => log.warn('the proof of a verification was not saved', { error }));
    await this.#record(who, proof).catch((error: unknown) =>
      log.warn('a verification could not be recorded in the audit journal', { error }),
    );
    return report;
  }

  #keep(proof: Proof): Promise<void> {
    return replaceFile(this.#file, Buffer.from(proofLine(this.#options.key, proof)));
  }

  #record(who: Asker, { rows, findingCount, chains }: Proof): Promise<void> {
    const heads = chains.flatMap(({ chain, head }) => (head === null ? [] : [`${chain} up to batch ${head.seq}`]));
    const detail = [`${rows} rows`, `${findingCount} findings`, ...heads].join(', ');
    return this.#options.record({ ...who, act: 'journal.verify', target: 'journal', detail, status: 200 });
  }

  /** A file that is missing or not genuine counts as none: the next verification replaces it. */
  #read(): Proof | null {
    try {
      return readProof(this.#options.key, readFileSync(this.#file, 'utf8'));
    } catch {
      return null;
    }
  }
}
