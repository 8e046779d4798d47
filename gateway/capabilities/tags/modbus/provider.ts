import type { TagDefinition } from '#common/model/tag.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';
import type { ProviderParts, TagProvider } from '../contract.ts';
import { ConnectionLost, whereIs } from '../dial.ts';
import { NeededConnection } from '../needed-connection.ts';
import { isSameTag } from '../same-tag.ts';
import { refuseLate, type SendBefore } from '../send-before.ts';
import { type ModbusTag, faultOf } from './encoding.ts';
import { type ModbusConnection, ModbusLink } from './link.ts';
import { PollSession, unreachable } from './poll-session.ts';
import { writeOf } from './requests.ts';

export interface ModbusParts extends ProviderParts {
  readonly guard: TargetGuard;
  /** 0 ≤ x < 1; for tests. */
  readonly random?: () => number;
}

/**
 * Tags of one Modbus TCP connection. The connection is dialled while there are tags and kept with back-off. States:
 * disconnected (every tag bad with the reason) and in session (`PollSession`).
 */
export function createModbusProvider(connection: ModbusConnection, parts: ModbusParts): TagProvider {
  return new ModbusProvider(connection, parts);
}

class ModbusProvider implements TagProvider {
  readonly #needed: NeededConnection;
  readonly #connection: ModbusConnection;
  readonly #parts: ModbusParts;
  /** The readable tags, by path. */
  #tags: ReadonlyMap<string, ModbusTag> = new Map();
  #session: PollSession | null = null;
  /** Null: a device responds. */
  #away: ConnectionLost | null;

  constructor(connection: ModbusConnection, parts: ModbusParts) {
    this.#connection = connection;
    this.#parts = parts;
    this.#needed = new NeededConnection(
      { session: (signal, alive) => this.#runSession(signal, alive), ended: (lost) => this.#ended(lost) },
      parts.random,
    );
    this.#away = this.#notYet();
  }

  configure(tags: readonly TagDefinition[]): void {
    const known = this.#tags;
    const mine = tags.filter(isModbus);
    for (const { path, source } of mine) {
      const fault = faultOf(source);
      if (fault !== null) this.#parts.sink.lost([path], fault);
    }
    const readable = mine.filter(({ source }) => faultOf(source) === null);
    this.#tags = new Map(readable.map((tag) => [tag.path, tag]));
    const fresh = readable.filter((tag) => !isSameTag(known.get(tag.path), tag)).map(({ path }) => path);
    const away = this.#session === null ? this.#away : null;
    if (fresh.length > 0)
      this.#parts.sink.lost(fresh, away?.message ?? `not read from ${whereIs(this.#connection)} yet`);
    this.#session?.configure(readable);
    this.#keepWhileNeeded();
  }

  async write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore: SendBefore = null): Promise<void> {
    signal.throwIfAborted();
    if (!isModbus(tag)) throw new TypeError('not a tag of this provider');
    const { table } = tag.source;
    if (table === 'discrete' || table === 'input')
      throw new NodeError('tag_read_only', `tag "${tag.path}" cannot be written: the table ${table} is read-only`);
    const fault = faultOf(tag.source);
    if (fault !== null) throw new NodeError('tag_write_failed', `tag "${tag.path}" cannot be written: ${fault}`);
    const write = writeOf(tag, value, () => refuseLate(tag.path, sendBefore));
    if (this.#session === null) throw unreachable(tag, this.#away ?? this.#notYet());
    await this.#session.write(tag, write, signal);
  }

  close(): Promise<void> {
    return this.#needed.close();
  }

  /** A connection without tags is not kept open. */
  #keepWhileNeeded(): void {
    if (!this.#needed.keepWhile(this.#tags.size > 0)) return;
    this.#away = this.#notYet();
  }

  #notYet(): ConnectionLost {
    return new ConnectionLost(`not connected to ${whereIs(this.#connection)} yet`);
  }

  async #runSession(signal: AbortSignal, alive: () => void): Promise<ConnectionLost> {
    const { guard, sink, random = Math.random } = this.#parts;
    let link: ModbusLink | null = null;
    let session: PollSession | null = null;
    const close = () => link?.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      link = await ModbusLink.open(this.#connection, guard, signal);
      signal.throwIfAborted();
      session = new PollSession(link, this.#tags.values(), { sink, random, alive: () => this.#answered(alive) });
      this.#session = session;
      return await session.run();
    } catch (error) {
      if (error instanceof ConnectionLost) return error;
      if (!signal.aborted) this.#parts.log.error('a Modbus connection failed', { ...this.#names(), error });
      return new ConnectionLost(`the connection to ${whereIs(this.#connection)} failed`, { cause: error });
    } finally {
      signal.removeEventListener('abort', close);
      if (this.#session === session) this.#session = null;
      close();
    }
  }

  #answered(alive: () => void): void {
    alive();
    if (this.#away === null) return;
    this.#away = null;
    this.#parts.log.info('a Modbus device answers', this.#names());
  }

  #ended(lost: ConnectionLost): void {
    const { message: reason } = lost;
    if (reason !== this.#away?.message)
      this.#parts.log.warn('a Modbus device does not respond', { ...this.#names(), reason });
    this.#away = lost;
    this.#parts.sink.lost(this.#tags.keys(), reason);
  }

  #names(): { project: string; connection: string } {
    return { project: this.#parts.project, connection: this.#connection.id };
  }
}

function isModbus(tag: TagDefinition): tag is ModbusTag {
  return tag.source.provider === 'modbus';
}
