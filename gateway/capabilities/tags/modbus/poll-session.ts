import { NodeError } from '#sdk';
import { type Backoff, createBackoff } from '../backoff.ts';
import type { TagSink } from '../contract.ts';
import { ConnectionLost, abortable } from '../dial.ts';
import type { ModbusTag } from './encoding.ts';
import { ModbusException, UnitSilent, isFromGateway, isLasting, refusesAddresses } from './exceptions.ts';
import type { ModbusLink } from './link.ts';
import { planBlocks } from './plan.ts';
import { type Write, readBlock } from './requests.ts';
import { type Poll, Schedule, pathsIn } from './schedule.ts';

/**
 * The work on one connection: polls by their schedule and writes as they arrive, one request at a time, alternating so
 * that neither blocks the other.
 *
 * A unit that does not respond is silent: its tags are lost immediately and it is polled again after a delay, so that
 * one dead unit behind a gateway does not slow down the others. If all units are silent, or SILENT_IN_A_ROW_MAX
 * consecutive ones that had responded before, the connection itself is dead: it is closed and dialled again.
 *
 * Limits: WRITES_WAITING_MAX; a refused address is polled again only every REFUSED_RETRY_MS.
 */
export interface SessionParts {
  readonly sink: TagSink;
  readonly random: () => number;
  /** A response was received. */
  readonly alive: () => void;
}

interface WaitingWrite {
  readonly tag: ModbusTag;
  readonly write: Write;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const WRITES_WAITING_MAX = 100;
const SILENT_IN_A_ROW_MAX = 2;
const REFUSED_RETRY_MS = 10_000;

export class PollSession {
  readonly #link: ModbusLink;
  readonly #parts: SessionParts;
  #schedule: Schedule;
  readonly #writes: WaitingWrite[] = [];
  readonly #silent = new Map<number, { backoff: Backoff; reason: string }>();
  #silentInARow = 0;
  #ended: ConnectionLost | null = null;
  #wake: () => void = () => undefined;

  constructor(link: ModbusLink, tags: Iterable<ModbusTag>, parts: SessionParts) {
    this.#link = link;
    this.#parts = parts;
    this.#schedule = new Schedule(planBlocks(tags), performance.now());
    void link.ended.then((lost) => {
      this.#ended ??= lost;
      this.#wake();
    });
  }

  /** Everything is read again; tags of silent units get the reason. */
  configure(tags: Iterable<ModbusTag>): void {
    this.#schedule = new Schedule(planBlocks(tags), performance.now());
    for (const [unitId, { reason }] of this.#silent) this.#parts.sink.lost(this.#schedule.pathsOf(unitId), reason);
    this.#wake();
  }

  /** Runs until the connection ends; resolves with the reason. */
  async run(): Promise<ConnectionLost> {
    try {
      while (this.#ended === null) await this.#turn();
      return this.#ended;
    } finally {
      this.#ended ??= new ConnectionLost(`the connection to ${this.#link.where} failed`);
      for (const { tag, reject } of this.#writes.splice(0)) reject(unreachable(tag, this.#ended));
    }
  }

  async #turn(): Promise<void> {
    const write = this.#writes.shift();
    if (write !== undefined) await this.#perform(write);
    const poll = this.#schedule.due(performance.now());
    if (poll !== null) await this.#poll(poll);
    if (write === undefined && poll === null) await this.#idle();
  }

  /**
   * Throws NodeError `device_unreachable`, `target_refused`, `tag_write_failed`; the reason of the signal if that
   * aborts.
   */
  write(tag: ModbusTag, write: Write, signal: AbortSignal): Promise<void> {
    const silent = this.#silent.get(tag.source.unitId);
    const away = this.#ended ?? (silent && new ConnectionLost(silent.reason));
    if (away !== undefined) throw unreachable(tag, away);
    if (this.#writes.length >= WRITES_WAITING_MAX)
      throw new NodeError('tag_write_failed', `${WRITES_WAITING_MAX} writes wait for ${this.#link.where} already`);
    const taken = new Promise<void>((resolve, reject) => {
      this.#writes.push({ tag, write, signal, resolve, reject });
    });
    this.#wake();
    return abortable(taken, signal);
  }

  async #perform({ tag, write, signal, resolve, reject }: WaitingWrite): Promise<void> {
    if (signal.aborted) return;
    try {
      await write(this.#link);
      this.#answered(tag.source.unitId);
      this.#schedule.hasten(tag.path, performance.now());
      resolve();
    } catch (error) {
      reject(writeError(tag, error));
      this.#noteFailure(tag.source.unitId, error);
    }
  }

  async #poll(poll: Poll): Promise<void> {
    const schedule = this.#schedule;
    const { unitId } = poll.block;
    try {
      const answer = await readBlock(this.#link, poll.block);
      this.#answered(unitId);
      schedule.done(poll, performance.now());
      if (schedule !== this.#schedule) return;
      const read = { time: Date.now(), arrived: true } as const;
      for (const tag of poll.block.tags) {
        const decoded = answer.of(tag);
        if ('fault' in decoded)
          this.#parts.sink.sample(tag.path, { value: null, quality: 'bad', reason: decoded.fault, ...read });
        else this.#parts.sink.sample(tag.path, { value: decoded.value, quality: 'good', reason: null, ...read });
      }
    } catch (error) {
      schedule.done(poll, performance.now());
      this.#noteFailure(unitId, error);
      if (error instanceof ModbusException && !isFromGateway(error)) this.#refused(schedule, poll, error);
    }
  }

  #refused(schedule: Schedule, poll: Poll, exception: ModbusException): void {
    const now = performance.now();
    if (refusesAddresses(exception) && poll.block.tags.length > 1) return schedule.split(poll, now);
    if (isLasting(exception)) poll.dueMs = Math.max(poll.dueMs, now + REFUSED_RETRY_MS);
    if (schedule === this.#schedule) this.#parts.sink.lost(pathsIn(poll.block), exception.message);
  }

  /** Applies a failed request to the state of unit and connection. Rethrows errors with another cause. */
  #noteFailure(unitId: number, error: unknown): void {
    if (error instanceof ConnectionLost || error instanceof NodeError) return;
    if (error instanceof UnitSilent) return this.#unanswered(unitId, error.message);
    if (!(error instanceof ModbusException)) throw error;
    if (!isFromGateway(error)) return this.#answered(unitId);
    this.#silentInARow = 0;
    this.#parts.alive();
    this.#mute(unitId, error.message);
  }

  #answered(unitId: number): void {
    this.#silentInARow = 0;
    this.#silent.delete(unitId);
    this.#parts.alive();
  }

  #unanswered(unitId: number, reason: string): void {
    if (!this.#silent.has(unitId)) this.#silentInARow++;
    const units = this.#schedule.units();
    this.#mute(unitId, units.size > 1 ? `unit ${unitId}: ${reason}` : reason);
    const allSilent = [...units].every((unit) => this.#silent.has(unit));
    if (!allSilent && this.#silentInARow < SILENT_IN_A_ROW_MAX) return;
    this.#ended = new ConnectionLost(reason);
    this.#link.close();
  }

  #mute(unitId: number, reason: string): void {
    const backoff = this.#silent.get(unitId)?.backoff ?? createBackoff(this.#parts.random);
    this.#silent.set(unitId, { backoff, reason });
    this.#parts.sink.lost(this.#schedule.pathsOf(unitId), reason);
    this.#schedule.postpone(unitId, performance.now() + backoff.next());
  }

  #idle(): Promise<void> {
    if (this.#ended !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const wait = this.#schedule.nextDueMs() - performance.now();
      const timer = Number.isFinite(wait) ? setTimeout(() => this.#wake(), Math.max(0, wait)) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export function unreachable(tag: ModbusTag, { code, message }: ConnectionLost): NodeError {
  return new NodeError(code, `tag "${tag.path}" cannot be written: ${message}`);
}

function writeError(tag: ModbusTag, error: unknown): unknown {
  if (error instanceof ConnectionLost || error instanceof UnitSilent) {
    const reason = `${error.message}; whether the device has taken the value is not known`;
    return unreachable(tag, new ConnectionLost(reason, { cause: error.cause }));
  }
  if (error instanceof ModbusException)
    return new NodeError('tag_write_failed', `tag "${tag.path}" was not written: ${error.message}`);
  return error;
}
