import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import {
  type NamedKeys,
  RESTORE_IDLE_MS,
  RESTORE_NAMES_MAX,
  RESTORE_PIECE_BYTES,
  type RestorePreview,
} from '#common/model/restore.ts';
import { errorCode } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import type { KeyStore } from '../key-contracts.ts';
import { VaultError } from '../vault/errors.ts';
import { factsOf, type RestoreFacts } from '../vault/restore-facts.ts';
import { prepareRestore, type PreparedRestore, restorePrepared, type RestoreTarget } from '../vault/restore.ts';
import { VAULT_FILE } from '../vault/recovery-hint.ts';
import { readHeader } from '../vault/sealed-image.ts';
import { STAGING_PREFIX } from '../vault/swap.ts';

/**
 * Restoring a backup from the admin UI (docs/spec/storage.md#restore).
 *
 * States: none → uploading → checked (unpacked and verified in a staging folder) → wanted: the program around the host
 * stops it, calls `carryOut` and starts a new host. A start removes whatever an earlier process left behind.
 * Limits: one upload; `RESTORE_BYTES_MAX`; pieces of `RESTORE_PIECE_BYTES`; one step at a time; `RESTORE_IDLE_MS`.
 * Security: the passphrase is not kept; the image of the checked vault is in memory, never on the disk.
 */
/** A user has confirmed a restore. */
export interface WantedRestore {
  prepared: PreparedRestore;
  user: string;
}

interface Upload {
  id: string;
  /** Removed with everything in it. */
  folder: string;
  handle: FileHandle;
  bytes: number;
  received: number;
  checked: PreparedRestore | null;
  idle: NodeJS.Timeout;
}

export interface RestoreUploadOptions {
  dataDir: string;
  keys: Pick<KeyStore, 'list'>;
  /** The port of the admin UI after the restore, from the port in the backup. */
  uiPortOf: (saved: number) => number;
  uiPort: () => number;
  log: Logger;
}

export class RestoreUpload {
  readonly #options: RestoreUploadOptions;
  readonly #wanted = Promise.withResolvers<WantedRestore>();
  #upload: Upload | null = null;
  #isBusy = false;

  constructor(options: RestoreUploadOptions) {
    this.#options = options;
  }

  /** Resolves when a user has confirmed a restore. */
  get wanted(): Promise<WantedRestore> {
    return this.#wanted.promise;
  }

  /** Returns the ID of the upload. Replaces an earlier one. */
  begin(bytes: number): Promise<string> {
    return this.#step(async () => {
      await this.#remove();
      const folder = await mkdtemp(join(this.#options.dataDir, STAGING_PREFIX));
      const handle = await open(join(folder, 'upload'), 'wx+', PRIVATE_FILE_MODE);
      const idle = setTimeout(() => void this.remove().catch(() => {}), RESTORE_IDLE_MS).unref();
      this.#upload = { id: randomUUID(), folder, handle, bytes, received: 0, checked: null, idle };
      return this.#upload.id;
    });
  }

  /** Appends a piece; returns the bytes that the upload has now. */
  take(id: string, at: number, piece: Uint8Array): Promise<number> {
    return this.#step(async () => {
      const upload = this.#known(id);
      if (at !== upload.received)
        throw new SluiceError('conflict', `The upload has ${upload.received} bytes; the piece begins at ${at}.`);
      if (piece.length > RESTORE_PIECE_BYTES || at + piece.length > upload.bytes)
        throw new SluiceError('payload_too_large', `The upload was begun with ${upload.bytes} bytes.`);
      try {
        await upload.handle.write(piece, 0, piece.length, at);
      } catch (error) {
        await this.#remove();
        throw error;
      }
      upload.received += piece.length;
      return upload.received;
    });
  }

  /** Unpacks and verifies the backup. A wrong passphrase keeps the upload; anything else that is wrong removes it. */
  check(id: string, passphrase: string): Promise<RestorePreview> {
    return this.#step(async () => {
      const upload = this.#known(id);
      if (upload.received < upload.bytes)
        throw new SluiceError('conflict', `The upload has ${upload.received} of ${upload.bytes} bytes.`);
      await this.#dropChecked(upload);
      const { dataDir, log } = this.#options;
      try {
        const source = { file: 'upload', opened: upload.handle, passphrase, dataDir };
        upload.checked = await prepareRestore(source);
        return this.#preview(await factsOf(upload.checked, { folder: dataDir, log }));
      } catch (error) {
        if (!(error instanceof VaultError) || error.reason !== 'passphrase') await this.#remove();
        throw error;
      }
    });
  }

  /** Throws while nothing is checked. The returned function hands the restore to the program around the host. */
  ready(id: string, user: string): () => void {
    const { checked } = this.#known(id);
    if (checked === null || this.#isBusy) throw new SluiceError('conflict', 'The backup is not checked.');
    return () => {
      const upload = this.#upload;
      if (upload?.checked !== checked) return;
      upload.checked = null;
      this.#wanted.resolve({ prepared: checked, user });
    };
  }

  remove(id?: string): Promise<void> {
    return this.#step(async () => {
      if (id !== undefined) this.#known(id);
      await this.#remove();
    });
  }

  /** Removes the upload, but not a restore that is wanted. */
  async close(): Promise<void> {
    await this.#remove();
  }

  #known(id: string): Upload {
    if (this.#upload?.id !== id) throw new SluiceError('unknown', 'There is no such upload.');
    this.#upload.idle.refresh();
    return this.#upload;
  }

  async #remove(): Promise<void> {
    const upload = this.#upload;
    if (upload === null) return;
    this.#upload = null;
    clearTimeout(upload.idle);
    await this.#dropChecked(upload);
    await upload.handle.close();
    await rm(upload.folder, { recursive: true, force: true });
  }

  async #dropChecked(upload: Upload): Promise<void> {
    const { checked } = upload;
    upload.checked = null;
    if (checked !== null) await rm(checked.staging, { recursive: true, force: true });
  }

  #preview(facts: RestoreFacts): RestorePreview {
    const { keys: known, uiPort, ...rest } = facts;
    const { keys, uiPortOf, uiPort: uiPortNow } = this.#options;
    const here = keys.list();
    const port = uiPortOf(uiPort);
    return {
      ...rest,
      keys: [...known.values()].filter(Boolean).length,
      revokedSince: named(here.filter(({ id, revokedAt }) => revokedAt !== null && known.get(id) === true)),
      lost: named(here.filter(({ id, revokedAt }) => revokedAt === null && !known.has(id))),
      uiUrl: port === uiPortNow() ? null : `http://127.0.0.1:${port}`,
    };
  }

  /** One at a time; errors as the admin API answers them. */
  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw new SluiceError('conflict', 'Another step of a restore is in progress.');
    this.#isBusy = true;
    try {
      return await work();
    } catch (error) {
      throw asAnswer(error);
    } finally {
      this.#isBusy = false;
      // A long step may outlast the idle time, whose timer cannot remove an upload that is in use.
      this.#upload?.idle.refresh();
    }
  }
}

function named(keys: readonly { name: string }[]): NamedKeys {
  return { count: keys.length, names: keys.slice(0, RESTORE_NAMES_MAX).map(({ name }) => name) };
}

function asAnswer(error: unknown): unknown {
  if (errorCode(error) === 'ENOSPC') return new SluiceError('disk_reserve', stated('disk_reserve'), { cause: error });
  if (!(error instanceof VaultError)) return error;
  const { message, reason } = error;
  const path = reason === 'passphrase' ? 'passphrase' : 'file';
  return new SluiceError('invalid', message, { errors: [{ path, message }] });
}

/**
 * Swaps the restored data in while no host runs on the folder. False: it failed, which is logged; then the folder holds
 * its former data, or the next start ends the swap.
 */
export async function carryOut(wanted: WantedRestore, target: Omit<RestoreTarget, 'user'>): Promise<boolean> {
  const { dataDir, log } = target;
  try {
    // The place of the present secret has proven to work on this PC.
    const secretStore = readHeader(readFileSync(join(dataDir, VAULT_FILE))).kind;
    await restorePrepared(wanted.prepared, { ...target, secretStore, user: wanted.user });
    return true;
  } catch (error) {
    log.error('the restore failed', { error });
    return false;
  }
}
