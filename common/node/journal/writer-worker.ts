import { join } from 'node:path';
import { isMainThread, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { JOURNAL_KEEPS_FREE_BYTES } from '#common/node/disk-space.ts';
import { chainFolder } from './format.ts';
import type { FileOps, WrapFileOps } from './file-ops.ts';
import { realFileOps } from './file-ops.ts';
import { keepingFree } from './keep-free.ts';
import type { FromThread, RingState, ThreadData, ToThread, WriterConfig } from './messages.ts';
import { readRing, RING_FILE, RingFile, type RingSlot } from './ring.ts';
import { SegmentWriter } from './segment-writer.ts';

/**
 * The thread that owns the files of a chain (writer.ts starts it). It takes all waiting batches, writes them as one
 * sealed batch and acknowledges the last number. It reports disk errors; a hanging disk stops only this thread.
 */
const MERGED_CHARS_MAX = 4 * 1024 ** 2;

interface Merged {
  text: string;
  slots: RingSlot[];
  mark: number | null;
  /** A probe requests a seal even without rows. */
  probe: boolean;
}

class WriterThread {
  readonly #port: MessagePort;
  readonly #data: ThreadData;
  readonly #cancelled: BigInt64Array;
  readonly #segments: SegmentWriter;
  readonly #ring: RingFile | null;
  #config: WriterConfig;
  /** The chain is open; the ring may not be open yet. */
  #started = false;
  #opened = false;
  #closed = false;
  /** The number of the last message taken. */
  #taken: number;
  #durableSeq = 0;
  #syncing = false;
  #markPending: number | null = null;

  constructor(port: MessagePort, data: ThreadData, ops: FileOps) {
    const folder = chainFolder(data.folder, data.chain);
    const { chain, config, segmentBytesMax } = data;
    this.#port = port;
    this.#data = data;
    this.#config = config;
    this.#cancelled = new BigInt64Array(data.cancelled);
    this.#segments = new SegmentWriter(
      { folder, chain, powerSafe: config.durability === 'power', segmentBytesMax },
      ops,
    );
    this.#ring = data.ring ? new RingFile(join(folder, RING_FILE), ops) : null;
    this.#taken = data.firstMessage - 1;
  }

  start(): void {
    this.#port.on('message', (message: ToThread) => this.#receive(message));
    setInterval(() => this.#makeDurable(), this.#data.durableEveryMs);
    try {
      this.#open();
    } catch (error) {
      this.#post({ kind: 'failed', upTo: this.#taken, reason: reasonOf(error) });
    }
  }

  #post(message: FromThread): void {
    this.#port.postMessage(message);
  }

  #open(): void {
    // With its start line. Only once, even if the ring cannot be opened.
    if (!this.#started) this.#openChain();
    const ring = this.#openRing();
    this.#opened = true;
    this.#post({ kind: 'opened', found: this.#segments.found, ring });
    // Reported before any traffic: a tail that was truncated while no writer was running shows as a number that did not
    // grow.
    this.#makeDurable();
  }

  #openChain(): void {
    this.#segments.open();
    this.#started = true;
    const { unverified } = this.#segments;
    if (unverified === null) return;
    const reason = `segment ${unverified} does not match its seals: the disk lost a part of it, or it was changed; it is left unchanged and the chain continues in the next (sluice audit verify)`;
    this.#post({ kind: 'warning', reason });
  }

  #openRing(): RingState | null {
    if (this.#ring === null) return null;
    this.#ring.open();
    const content = readRing(join(chainFolder(this.#data.folder, this.#data.chain), RING_FILE));
    const accounted = Math.max(content.accounted, this.#segments.ring ?? 0);
    if (accounted > content.accounted) this.#ring.mark(accounted);
    const pending = content.entries.filter((entry) => entry.seq > accounted && entry.count > 0);
    return { seq: Math.max(accounted, content.entries.at(-1)?.seq ?? 0), accounted, pending };
  }

  /** Takes this message and all that wait after it, in one write if they are batches. */
  #receive(first: ToThread): void {
    let merged: Merged = { text: '', slots: [], mark: null, probe: false };
    for (let message: ToThread | undefined = first; message !== undefined; message = this.#next()) {
      if (typeof message !== 'string' && (message.kind === 'configure' || message.kind === 'close')) {
        this.#write(merged);
        merged = { text: '', slots: [], mark: null, probe: false };
        if (message.kind === 'close') {
          this.#close();
          return;
        }
        this.#configure(message.config);
        continue;
      }
      this.#taken += 1;
      if (BigInt(this.#taken) <= Atomics.load(this.#cancelled, 0)) {
        this.#write(merged, this.#taken - 1);
        merged = { text: '', slots: [], mark: null, probe: false };
        this.#post({ kind: 'skipped', upTo: this.#taken });
        continue;
      }
      merge(merged, message);
      if (merged.text.length < MERGED_CHARS_MAX) continue;
      this.#write(merged);
      merged = { text: '', slots: [], mark: null, probe: false };
    }
    this.#write(merged);
  }

  #next(): ToThread | undefined {
    const received: { message: ToThread } | undefined = receiveMessageOnPort(this.#port);
    return received?.message;
  }

  #write(batch: Merged, upTo = this.#taken): void {
    if (batch.text === '' && batch.slots.length === 0 && !batch.probe) return;
    try {
      if (!this.#opened) this.#open();
      // The ring is written first: if that fails, nothing of the batch is in the chain.
      if (batch.slots.length > 0) this.#ring?.write(batch.slots);
      if (batch.slots.length > 0 && this.#config.durability === 'power') this.#ring?.sync();
      if (batch.text !== '' || batch.probe) this.#segments.append(batch.text, batch.mark);
    } catch (error) {
      this.#post({ kind: 'failed', upTo, reason: reasonOf(error) });
      return;
    }
    this.#post(upTo);
    this.#markRing(batch.mark);
  }

  /** The mark only saves recovery from reading the last seal; a mark that fails is written with the next batch. */
  #markRing(mark: number | null): void {
    if (mark !== null) this.#markPending = mark;
    if (this.#markPending === null) return;
    try {
      this.#ring?.mark(this.#markPending);
      this.#markPending = null;
    } catch (error) {
      this.#post({ kind: 'warning', reason: reasonOf(error) });
    }
  }

  /** fdatasync off the thread. Then the head can be anchored: an anchored batch survives a power cut. */
  #makeDurable(): void {
    const head = this.#segments.head;
    if (!this.#opened || this.#closed || this.#syncing || head.seq === this.#durableSeq) return;
    this.#syncing = true;
    this.#segments
      .syncLater()
      .then(() => {
        // Not after the final head of a clean stop: heads are reported in order.
        if (head.seq <= this.#durableSeq) return;
        this.#durableSeq = head.seq;
        this.#post({ kind: 'head', head, clean: false });
      })
      .catch((error: unknown) => this.#post({ kind: 'warning', reason: reasonOf(error) }))
      .finally(() => (this.#syncing = false));
  }

  #configure(config: WriterConfig): void {
    this.#config = config;
    this.#segments.powerSafe = config.durability === 'power';
  }

  #close(): void {
    this.#closed = true;
    try {
      if (this.#started) {
        this.#segments.stop();
        this.#ring?.sync();
        this.#durableSeq = this.#segments.head.seq;
        this.#post({ kind: 'head', head: this.#segments.head, clean: true });
      }
      this.#segments.close();
      this.#ring?.close();
    } catch (error) {
      this.#post({ kind: 'warning', reason: reasonOf(error) });
    }
    this.#post({ kind: 'closed' });
  }
}

function merge(merged: Merged, message: Exclude<ToThread, { kind: 'configure' | 'close' }>): void {
  if (typeof message === 'string') {
    merged.text += message;
    return;
  }
  if (message.kind === 'probe') {
    merged.probe = true;
    return;
  }
  merged.text += message.text;
  merged.slots.push(...message.slots);
  merged.mark = message.mark ?? merged.mark;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (!isMainThread) {
  releaseIdleMemory();
  const data = workerData as ThreadData;
  const wrap = data.faults && ((await import(data.faults.module)) as { wrapFileOps: WrapFileOps }).wrapFileOps;
  // The gateway's journal grows with traffic. The host's grows with the actions of users and may use the last free
  // space.
  const ops = data.chain === 'gateway' ? keepingFree(realFileOps, data.folder, JOURNAL_KEEPS_FREE_BYTES) : realFileOps;
  new WriterThread(data.port, data, wrap && data.faults ? wrap(ops, data.faults.shared) : ops).start();
}
