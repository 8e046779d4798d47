import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChainHead } from '#common/model/audit.ts';
import type { Logger } from '#common/node/log.ts';
import { outsideFindings } from './compare-heads.ts';
import { appendHead, readHeadFile } from './head-file.ts';
import { headLine } from './head-record.ts';

/**
 * Keeps the journal's heads in a file outside the data folder, so that a replacement of the whole folder by an older
 * one is detected: each hour, at the start and at the stop, the newest head in the file is searched for in the journal,
 * then the current one is appended. While the file has heads that are missing from the journal, nothing is appended, so
 * that it remains evidence.
 *
 * States: no file is set; in use; with findings; unusable. A file that existed once is never created again: an
 * unmounted share must not look like a new file. Limits: one access at a time; only the stop waits for it, at most
 * `STOP_MS_MAX`. Known weakness: a share that never responds (a hard NFS mount) blocks one of Node's file threads, and
 * the process exits only when the kernel gives up or the service manager kills it.
 */
export interface OutsideHeadsOptions {
  /** `<data>/journal` */
  folder: string;
  dataDir: string;
  key: Buffer;
  file: HeadFileChoice;
  heads(): readonly ChainHead[];
  /** Records findings in the journal. */
  record(finding: string): Promise<void>;
  log: Logger;
  now?: () => number;
  everyMs?: number;
}

/** The used parts of the vault and its settings. */
export interface HeadFileChoice {
  /** The setting; null: no file. */
  path(): string | null;
  /** The last used file, according to the vault. */
  known(): string | null;
  remember(path: string): Promise<void>;
  generation(): number;
}

export interface OutsideTroubles {
  path: string;
  /** Heads in the file that the journal does not contain, each as a sentence. */
  findings: readonly string[];
  /** Why the file cannot be used, once an alarm is justified; null: it can be used. */
  unusable: string | null;
}

const LOOK_MS = 60_000;
const EVERY_MS = 60 * 60_000;
const RETRY_MS = 10 * 60_000;
/** A share may be unavailable for this long before an alarm is raised. */
export const UNUSABLE_MS_MAX = 3 * 60 * 60_000;
const STOP_MS_MAX = 5_000;

export class OutsideHeads {
  readonly #options: OutsideHeadsOptions;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #path: string | null = null;
  #known: string | null = null;
  #findings: readonly string[] = [];
  readonly #recorded = new Set<string>();
  #trouble: { since: number; why: string; atOnce: boolean } | null = null;
  #dueAt = 0;
  #under: Promise<void> | null = null;

  constructor(options: OutsideHeadsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#timer = setInterval(() => void this.look(), Math.min(LOOK_MS, options.everyMs ?? LOOK_MS));
    this.#timer.unref();
  }

  troubles(): OutsideTroubles | null {
    const path = this.#path;
    if (path === null) return null;
    const trouble = this.#trouble;
    const isLate = trouble !== null && (trouble.atOnce || this.#now() - trouble.since >= UNUSABLE_MS_MAX);
    return { path, findings: this.#findings, unusable: isLate ? trouble.why : null };
  }

  findings(): readonly string[] {
    return this.#path === null ? [] : this.#findings;
  }

  /** Accesses the file if it is due, or if another one was set. */
  async look(): Promise<void> {
    const path = this.#options.file.path();
    if (path !== this.#path) {
      [this.#path, this.#findings, this.#trouble, this.#dueAt] = [path, [], null, 0];
      this.#known = this.#options.file.known();
    }
    if (path === null || this.#now() < this.#dueAt) return;
    await this.#run(path);
  }

  /** The last head, once nothing more is written to the journal. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const last = async () => {
      await this.#under;
      if (this.#path !== null) await this.#run(this.#path, 'stopping');
    };
    await Promise.race([last(), delay(STOP_MS_MAX, undefined, { ref: false })]);
  }

  /** One at a time: the next accesses wait for a hanging one. */
  #run(path: string, stopping?: 'stopping'): Promise<void> {
    this.#under ??= this.#use(path, stopping)
      .then(
        () => this.#used(path),
        (error: unknown) => this.#failed(path, error),
      )
      .finally(() => (this.#under = null));
    return this.#under;
  }

  async #use(path: string, stopping?: 'stopping'): Promise<void> {
    const { folder, key, file, heads } = this.#options;
    await this.#expectOutside(path);
    const text = await readHeadFile(path);
    const isEmpty = text === null || text.trim() === '';
    if (isEmpty && this.#known === path) throw new MissingFile();
    const findings = isEmpty ? [] : await outsideFindings(folder, key, text);
    if (path !== this.#path) return;
    this.#findings = findings;
    if (findings.length > 0) return stopping ? undefined : this.#record(findings);
    const record = { time: new Date().toISOString(), generation: file.generation(), heads: heads() };
    await appendHead(path, headLine(key, record), { create: text === null });
    if (this.#known === path) return;
    await file.remember(path);
    this.#known = path;
  }

  /** A file in the data folder would be replaced together with it. */
  async #expectOutside(path: string): Promise<void> {
    const inside = relative(await realpath(this.#options.dataDir), await realpath(dirname(path)));
    if (!inside.startsWith('..') && !isAbsolute(inside))
      throw new Error('it is in the data folder; expected a place outside, such as on a share');
  }

  async #record(findings: readonly string[]): Promise<void> {
    for (const finding of findings) {
      if (this.#recorded.has(finding)) continue;
      this.#recorded.add(finding);
      this.#options.log.error('the journal does not contain a head that was kept outside', { finding });
      await this.#options.record(finding);
    }
  }

  #used(path: string): void {
    if (path === this.#path) this.#trouble = null;
    this.#dueAt = this.#now() + (this.#options.everyMs ?? EVERY_MS);
  }

  #failed(path: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#options.log.warn('the head of the journal could not be kept outside', { path, error });
    this.#dueAt = this.#now() + Math.min(RETRY_MS, this.#options.everyMs ?? RETRY_MS);
    if (path !== this.#path) return;
    // A share may be unavailable for a while; a deleted or unusable file does not recover by itself.
    const atOnce = error instanceof MissingFile || this.#known !== path;
    this.#trouble = { since: this.#trouble?.since ?? this.#now(), why, atOnce };
  }
}

class MissingFile extends Error {
  constructor() {
    super('the file is missing or empty: somebody removed it, or its share is not mounted');
  }
}
