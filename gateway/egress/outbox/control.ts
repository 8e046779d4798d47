import type { GatewayCalls } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type {
  EgressEdit,
  EgressEvent,
  EgressEventDetail,
  EgressPayload,
  EgressState,
  EgressTarget,
  ExportedEvent,
} from '#common/model/egress.ts';
import { CALL_BYTES_MAX } from '../http/contract.ts';
import type { BufferGauge } from './buffer-gauge.ts';
import { type Clock, timeText } from './clock.ts';
import type { EventContent } from './content.ts';
import type { DeliveryDispatcher } from './delivery-dispatcher.ts';
import { PAGE_EVENTS_MAX, PAGE_PAYLOAD_BYTES_MAX } from './limits.ts';
import type { SenderConfigs } from './sender-configs.ts';
import type { Rates } from './rates.ts';
import { isDamage, isSqliteError } from './schema.ts';
import { idempotencyKey } from './send-attempt.ts';
import type { OutboxShares } from './shares.ts';
import type { EventRow, OutboxStore } from './store.ts';
import type { Target } from './target.ts';
import type { GroupWriter } from './writer.ts';

/**
 * Operations of users on the outbox. Each throws SluiceError. A change of the file is made immediately or not at all.
 */
export interface ControlParts {
  readonly store: OutboxStore;
  readonly writer: GroupWriter;
  readonly dispatcher: DeliveryDispatcher;
  readonly lines: SenderConfigs;
  readonly gauge: BufferGauge;
  readonly shares: OutboxShares;
  readonly rates: Rates;
  readonly clock: Clock;
}

type Args<C extends keyof GatewayCalls> = GatewayCalls[C]['args'];

export class Control {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  state(): EgressState {
    const { gauge, rates, writer, dispatcher, lines, clock } = this.#parts;
    const buffer = gauge.state(rates, writer.trouble ?? lines.trouble, clock.nowMs());
    return {
      buffer,
      targets: [...dispatcher.targets.values()]
        .filter(({ isInUse }) => isInUse)
        .map((target) => this.#targetRecord(target)),
    };
  }

  async targetAct({ target: id, act, by }: Args<'egress-target-act'>): Promise<EgressTarget> {
    const { dispatcher, clock } = this.#parts;
    const target = this.#target(id);
    switch (act) {
      case 'pause':
        if (target.pause === null) dispatcher.pause(target, { reason: `${by} paused it`, by, atMs: clock.wallMs() });
        break;
      case 'resume':
        dispatcher.resume(target);
        break;
      case 'try':
        await this.#try(target);
        break;
      case 'rehearse':
        this.#rehearse(target, by);
        break;
    }
    // An entry that a failing disk does not accept now still takes effect, and is written when possible.
    this.#parts.writer.flush();
    return this.#targetRecord(target);
  }

  events({ state, target, cursor, limit, payloads }: Args<'egress-events'>): GatewayCalls['egress-events']['value'] {
    this.#settle();
    const { store } = this.#parts;
    const only = target === null ? null : this.#target(target).id;
    const most = Math.min(limit, PAGE_EVENTS_MAX);
    const from = readCursor(cursor);
    const rows: EventRow[] = [];
    const states = state === null ? (['dead', 'queued'] as const) : [state];
    for (const one of states.slice(from === null ? 0 : states.findIndex((name) => name === from.state))) {
      const after = from?.state === one ? from : { target: 0, seq: 0 };
      rows.push(...read(() => store.page(one, only, after, most + 1 - rows.length)));
      if (rows.length > most) break;
    }
    return this.#page(rows, most, payloads);
  }

  event({ event, payload }: Args<'egress-event'>): EgressEventDetail | null {
    this.#settle();
    const row = read(() => this.#parts.store.find(event));
    return row && this.#detail(row, payload);
  }

  eventAct({ event, act }: Args<'egress-event-act'>): EgressEvent | null {
    this.#settle();
    const row = this.#row(event);
    if (act === 'discard') this.#discard(row);
    else this.#retry(row);
    const after = read(() => this.#parts.store.find(event));
    return after && this.#event(after);
  }

  edit({ event, edit }: Args<'egress-edit'>): EgressEventDetail {
    this.#settle();
    const { store, dispatcher, gauge, shares, clock } = this.#parts;
    const row = this.#row(event);
    if (row.state !== 'dead') throw new SluiceError('conflict', 'Only dead letters can be edited.');
    const content = edited(this.#content(row), edit);
    const growth = (content.body?.byteLength ?? 0) - row.bodyBytes;
    const refusal = growth > 0 ? gauge.refusal(growth, { events: -1, bytes: 0 }, clock.nowMs()) : null;
    if (refusal !== null) throw new SluiceError('conflict', `The event stays as it was: ${refusal}.`);
    const bytes = written(() => store.edit(row, content));
    gauge.change(0, bytes - row.bytes);
    const target = dispatcher.targets.get(row.target);
    target?.changeBytes(bytes - row.bytes);
    shares.change(
      { project: read(() => this.#parts.lines.project(row.line)), target: row.target },
      0,
      bytes - row.bytes,
    );
    return this.#detail(this.#row(event), true);
  }

  import({ events }: Args<'egress-import'>): GatewayCalls['egress-import']['value'] {
    this.#settle();
    const { store, gauge, shares, clock } = this.#parts;
    const contents = events.map((event) => contentOf(event.payload));
    const bytes = contents.reduce((sum, { body }) => sum + (body?.byteLength ?? 0), 0);
    const refusal = gauge.refusal(bytes, { events: events.length, bytes: 0 }, clock.nowMs());
    if (refusal !== null) throw new SluiceError('conflict', `Nothing was imported: ${refusal}.`);
    const known = written(() => this.#parts.lines.targets(events.map(({ origin }) => origin)));
    const importAll = () =>
      events.flatMap((event, index) => {
        const target = known[index];
        const content = contents[index];
        return target && content ? this.#importOne(event, target, content) : [];
      });
    const added = written(() => store.atomically(importAll));
    for (const { target, row, project } of added) {
      target.addDead(row);
      gauge.change(1, row);
      shares.change({ project, target: target.id }, 1, row);
    }
    return { imported: added.length, skipped: events.length - added.length };
  }

  #importOne(
    event: ExportedEvent,
    target: Target,
    content: EventContent,
  ): { target: Target; row: number; project: string }[] {
    const { store, clock } = this.#parts;
    if (store.find(event.id) !== null) return [];
    const line = store.putLine({ ...event, test: false }, target.id, null);
    const acceptedAtMs = Date.parse(event.acceptedAt);
    const sealed = store.seal(
      { id: event.id, target: target.id, line, acceptedAtMs, method: event.method, content },
      'dead',
    );
    store.insert({ ...sealed, edits: editsOf(event), reason: 'it was imported', diedAtMs: clock.wallMs() });
    return [{ target, row: sealed.bytes, project: event.project }];
  }

  async #try(target: Target): Promise<void> {
    if (!target.stopped)
      throw new SluiceError('conflict', 'The target is not paused: its events are sent automatically.');
    if (target.sending > 0) throw new SluiceError('conflict', 'A call to this target is in progress.');
    if (!(await this.#parts.dispatcher.tryOnce(target)))
      throw new SluiceError('conflict', 'No event waits for this target.');
  }

  #rehearse(target: Target, by: string): void {
    if (target.pause !== null) throw new SluiceError('conflict', 'The target is paused: resume it before a rehearsal.');
    if (target.rehearsal !== null && !target.rehearsal.done)
      throw new SluiceError('conflict', 'A rehearsal of this target is in progress.');
    this.#parts.dispatcher.rehearse(target, by);
  }

  #discard(row: EventRow): void {
    const { store, dispatcher } = this.#parts;
    const target = dispatcher.targets.get(row.target);
    if (row.state === 'queued' && (target?.pause ?? null) === null)
      throw new SluiceError('conflict', 'The event is still queued; pause its target to discard it.');
    if (target && row.state === 'queued' && target.sending > 0)
      throw new SluiceError('conflict', 'A call to this target is in progress; try again.');
    written(() => store.remove(row.seq));
    if (target) dispatcher.removed(target, row);
  }

  #retry(row: EventRow): void {
    const { store, dispatcher, lines } = this.#parts;
    if (row.state !== 'dead') throw new SluiceError('conflict', 'The event is already queued.');
    const target = dispatcher.targets.get(row.target);
    if (!target || this.#unsendable(row, lines)) {
      const { project, pipeline, node } = read(() => store.linePlace(row.line));
      throw new SluiceError(
        'conflict',
        `Nothing says how this event is sent: start the pipeline "${pipeline}" of project "${project}", whose node "${node}" calls this target.`,
      );
    }
    written(() => store.revive(row.seq, row.line));
    dispatcher.revived(target, row);
  }

  /**
   * An event that a user changed is sent with the settings of the running node: never with the credentials of a deleted
   * one.
   */
  #unsendable({ line, attempts, edits }: EventRow, lines: SenderConfigs): boolean {
    if ((attempts === 0 || edits > 0) && !lines.isOpen(line)) return true;
    try {
      return lines.secrets(line) === null;
    } catch {
      return true;
    }
  }

  /** Writes entries that are only in memory, because users read and change the file. */
  #settle(): void {
    const { writer } = this.#parts;
    if (!writer.flush())
      throw new SluiceError(
        'conflict',
        `This cannot be done now: ${writer.trouble ?? 'the outbox cannot be written'}.`,
      );
  }

  #target(id: string): Target {
    const target = /^t\d{1,15}$/.test(id) ? this.#parts.dispatcher.targets.get(Number(id.slice(1))) : undefined;
    if (target === undefined) throw new SluiceError('unknown', 'There is no such target.');
    return target;
  }

  #row(event: string): EventRow {
    const row = read(() => this.#parts.store.find(event));
    if (row === null)
      throw new SluiceError('unknown', 'There is no such event: it was delivered, discarded, or never stored.');
    return row;
  }

  #targetRecord(target: Target): EgressTarget {
    const { gauge, clock } = this.#parts;
    return target.record(clock, this.#oldestMs(target), gauge.fullInSeconds(target.rates, clock.nowMs()));
  }

  /** Null if nothing is queued, or if its page is damaged: the other figures must still be reported. */
  #oldestMs({ id, queued }: Target): number | null {
    try {
      return queued === 0 ? null : this.#parts.store.oldestMs(id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  }

  #page(rows: EventRow[], most: number, payloads: boolean): GatewayCalls['egress-events']['value'] {
    const items: EgressEventDetail[] = [];
    let bytes = 0;
    for (const row of rows.slice(0, most)) {
      bytes += payloads ? row.bytes : 0;
      if (items.length > 0 && bytes > PAGE_PAYLOAD_BYTES_MAX) break;
      items.push(this.#detail(payloads ? this.#row(row.id) : row, payloads));
    }
    const last = rows[items.length - 1];
    const more = rows.length > items.length;
    return { items, next: more && last ? `${last.state}-${last.target}-${last.seq}` : null };
  }

  #detail(row: EventRow, payload: boolean): EgressEventDetail {
    return { ...this.#event(row), tries: [...row.tries], payload: payload ? payloadOf(row, this.#content(row)) : null };
  }

  #content(row: EventRow): EventContent {
    try {
      return this.#parts.store.content(row);
    } catch {
      throw new SluiceError('conflict', 'The outbox cannot read this event: the file was changed or damaged.');
    }
  }

  #event(row: EventRow): EgressEvent {
    const { store, dispatcher } = this.#parts;
    const { project, pipeline, node } = read(() => store.linePlace(row.line));
    return {
      id: row.id,
      state: row.state,
      target: `t${row.target}`,
      origin: dispatcher.targets.get(row.target)?.origin ?? '',
      project,
      pipeline,
      node,
      method: row.method,
      bodyBytes: row.bodyBytes,
      acceptedAt: timeText(row.acceptedAtMs),
      attempts: row.attempts,
      nextTryAt: row.nextAtMs === null ? null : timeText(row.nextAtMs),
      lastAnswer: row.tries.at(-1) ?? null,
      reason: row.reason,
      diedAt: row.diedAtMs === null ? null : timeText(row.diedAtMs),
    };
  }
}

/** An edited event remains the one that its receiver may know. */
function editsOf({ id, payload }: ExportedEvent): number {
  const [, edits] = payload.idempotencyKey.startsWith(`${id}.`)
    ? (/\.(\d{1,6})$/.exec(payload.idempotencyKey) ?? [])
    : [];
  return Number(edits ?? 0);
}

/** A disk error is reported to the user; nothing was changed. */
function written<T>(work: () => T): T {
  return orConflict(work, isSqliteError, 'Nothing was changed: the outbox cannot be written');
}

/**
 * A damaged page is reported to the user. A page of the admin UI that reads it repeatedly must not end the thread each
 * time.
 */
function read<T>(work: () => T): T {
  return orConflict(work, isDamage, 'The outbox cannot be read here: its disk fails, or the file is damaged');
}

function orConflict<T>(work: () => T, isFault: (error: unknown) => boolean, sentence: string): T {
  try {
    return work();
  } catch (error) {
    if (!isFault(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SluiceError('conflict', `${sentence} (${reason}).`);
  }
}

interface Cursor {
  readonly state: 'queued' | 'dead';
  readonly target: number;
  readonly seq: number;
}

function readCursor(cursor: string | null): Cursor | null {
  if (cursor === null) return null;
  const [, state, target, seq] = /^(queued|dead)-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (state !== 'queued' && state !== 'dead')
    throw new SluiceError('invalid', 'cursor: expected what "next" of the page before said', {
      errors: [{ path: 'cursor', message: 'expected what "next" of the page before said' }],
    });
  return { state, target: Number(target), seq: Number(seq) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function payloadOf(row: EventRow, { path, contentType, orderingKey, traceparent, body }: EventContent): EgressPayload {
  return { idempotencyKey: idempotencyKey(row), orderingKey, path, contentType, traceparent, ...bodyTexts(body) };
}

function bodyTexts(body: Uint8Array | null): { text: string | null; base64: string | null } {
  if (body === null) return { text: null, base64: null };
  try {
    return { text: utf8.decode(body), base64: null };
  } catch {
    return { text: null, base64: Buffer.from(body).toString('base64') };
  }
}

function bodyOf(text: string | null, base64: string | null): Uint8Array | null {
  const body = text === null ? (base64 === null ? null : Buffer.from(base64, 'base64')) : Buffer.from(text);
  if (body !== null && body.byteLength > CALL_BYTES_MAX)
    throw new SluiceError('invalid', `text: expected at most ${CALL_BYTES_MAX} bytes`, {
      errors: [{ path: text === null ? 'base64' : 'text', message: `expected at most ${CALL_BYTES_MAX} bytes` }],
    });
  return body;
}

function contentOf({ path, contentType, orderingKey, traceparent, text, base64 }: EgressPayload): EventContent {
  return { path, contentType, orderingKey, traceparent, body: bodyOf(text, base64) };
}

function edited(before: EventContent, { path, contentType, text, base64 }: EgressEdit): EventContent {
  const bodyGiven = text !== undefined || base64 !== undefined;
  return {
    ...before,
    path: path ?? before.path,
    contentType: contentType === undefined ? before.contentType : contentType,
    body: bodyGiven ? bodyOf(text ?? null, base64 ?? null) : before.body,
  };
}
