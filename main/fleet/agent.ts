import { randomBytes } from 'node:crypto';
import type { EdgeFleet } from '#common/contract/fleet.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import {
  type Counters,
  isOlder,
  type Phase,
  REASON_CHARS_MAX,
  type RecordKind,
  type RecordOf,
} from '#common/fleet/records.ts';
import type { Logger } from '#common/node/log.ts';
import {
  claimsKind,
  openRecord,
  RecordRefused,
  type Signer,
  signerOf,
  signRecord,
  type Trusted,
  trusted,
} from '#common/node/fleet/envelope.ts';
import { VERSION } from '#common/version.ts';
import { STREAMS, SUBJECTS } from './nats/config.ts';
import type { Message, Transport } from './transport.ts';
import type { Applier } from './apply.ts';
import type { EdgeSecret, EdgeState } from './edge-state.ts';

export const CHECKIN_MS = 10_000;
const CHECKIN_JITTER_MS = 1_000;
const ANSWER_MS_MAX = 3_000;
/** While keys of the fleet are refused, check-ins are repeated after this time. */
const RETURN_RETRY_MS = 500;
/** Unanswered for this long after a start or a reconnect, the edge counts as cut off, and serves on. */
export const RETURN_MS_MAX = 5_000;
export const START_MS_MAX = 2_000;
/** Check-ins without an answer until the edge counts as cut off, whatever TCP says. */
export const UNANSWERED_MAX = 3;
/** Waiting work of the agent; more is dropped, because the next check-in finds what is missing. */
const WAITING_MAX = 100;

type KeyChange = RecordOf<'revocation'> | RecordOf<'limits'>;

export interface AgentParts {
  state: Pick<EdgeState, 'read' | 'lastAssignment' | 'refuse' | 'restored'>;
  applier: Pick<Applier, 'revoke' | 'limit' | 'narrow' | 'assign' | 'restore'>;
  transport: Transport;
  /** Refuses or accepts the keys of the fleet in the gateway; resolves when that is in force. */
  refuseKeys(on: boolean): Promise<void>;
  log: Logger;
}

/**
 * The agent of an edge (docs/decisions/0025-a-fleet-on-nats.md). It asks the hub regularly what is newest; a signed
 * answer with its nonce is the only proof of contact. One thing is done at a time, in order.
 *
 * While it may lack revocations, keys of the fleet are refused: from a start or reconnect until everything of the first
 * answer is in force. An edge without contact accepts them.
 */
export class Agent {
  readonly #parts: AgentParts;
  readonly #signer: Signer;
  readonly #keys: Trusted;
  readonly #names: Pick<EdgeSecret, 'fleet' | 'edge'>;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #giveUp: NodeJS.Timeout | null = null;
  #unanswered = UNANSWERED_MAX;
  #lastContact: string | null = null;
  #phase: Exclude<Phase, 'returning'> = 'settled';
  #reason: string | null = null;
  #returning = true;
  /** Of the last connection: an answer of an earlier one ends no refusal. */
  #connections = 0;
  #closed = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { fleet, edge, identity, root, trust, refused } = parts.state.read();
    if (refused !== null) this.#phase = 'refused';
    this.#names = { fleet, edge };
    this.#signer = signerOf(identity);
    const { keys } = openRecord('trust', Buffer.from(trust, 'base64url'), trusted(root));
    this.#keys = trusted(...keys.map((key) => key.public));
  }

  /** When the gateway is ready: an assignment starts pipelines in it. */
  start(): void {
    const { transport } = this.#parts;
    if (this.#closed) return;
    const { edge } = this.#names;
    const change = ({ bytes }: Message): void => void this.#enqueue(() => this.#changeNews(bytes));
    transport.subscribe(SUBJECTS.revocationNews, change);
    transport.subscribe(SUBJECTS.revocationAgain(edge), change);
    transport.subscribe(SUBJECTS.desiredNews(edge), ({ bytes }) => void this.#enqueue(() => this.#assignment(bytes)));
    transport.onChange((connected) => this.#changed(connected));
    this.#giveUpAfter(START_MS_MAX);
    if (transport.connected) this.#changed(true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#giveUp) clearTimeout(this.#giveUp);
    await this.#queue;
  }

  status(): EdgeFleet {
    const { edge, address, have, project } = this.#parts.state.read();
    return {
      role: 'edge',
      edge,
      hub: address,
      contact: this.#unanswered < UNANSWERED_MAX && this.#parts.transport.connected ? 'connected' : 'cut off',
      lastContact: this.#lastContact,
      phase: this.#phaseNow(),
      reason: this.#reasonNow(),
      have,
      project,
    };
  }

  #changed(connected: boolean): void {
    if (!connected) return;
    this.#connections++;
    this.#returning = true;
    this.#giveUpAfter(RETURN_MS_MAX);
    // At once, not after other work: callers must not get an old answer meanwhile.
    void this.#parts.refuseKeys(true).catch((error: unknown) => this.#warn('keys of the fleet', error));
    this.#next(0);
  }

  /** Without any answer, the edge serves on; with an answer that cannot be applied, it does not. */
  #giveUpAfter(ms: number): void {
    if (this.#giveUp) clearTimeout(this.#giveUp);
    this.#giveUp = setTimeout(() => void this.#serveOn(), ms);
  }

  async #serveOn(): Promise<void> {
    if (this.#closed) return;
    this.#returning = false;
    await this.#parts.refuseKeys(false).catch((error: unknown) => this.#warn('keys of the fleet', error));
  }

  #next(ms: number): void {
    if (this.#closed) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // With a full queue: without another timer, there would be no check-in any more.
      if (!this.#enqueue(() => this.#checkin())) this.#next(RETURN_RETRY_MS);
    }, ms);
  }

  /** False: dropped. */
  #enqueue(work: () => Promise<void>): boolean {
    if (this.#closed || this.#waiting >= WAITING_MAX) return false;
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => (this.#closed ? undefined : work()))
      .catch((error: unknown) => this.#warn('the hub', error))
      .finally(() => this.#waiting--);
    return true;
  }

  async #checkin(): Promise<void> {
    const { transport, state } = this.#parts;
    // A new connection asks at once.
    if (!transport.connected) return this.#next(CHECKIN_MS);
    const { edge } = this.#names;
    const nonce = randomBytes(16).toString('base64url');
    const connection = this.#connections;
    const [have, phase, reason] = [state.read().have, this.#phaseNow(), this.#reasonNow()];
    const sent = new Date().toISOString();
    try {
      const question = { ...this.#names, nonce, have, phase, reason, version: VERSION };
      const bytes = await transport.request(
        SUBJECTS.checkin(edge),
        signRecord('checkin', question, this.#signer),
        ANSWER_MS_MAX,
      );
      const answer = this.#opened('answer', bytes);
      if (answer.edge !== edge || answer.nonce !== nonce)
        throw new RecordRefused('the answer is not for this check-in');
      // Contact is as old as the question.
      this.#lastContact = sent;
      this.#unanswered = 0;
      if (this.#giveUp && connection === this.#connections) clearTimeout(this.#giveUp);
      await this.#takeUp(answer.latest, connection);
    } catch (error) {
      const isKnown = this.#unanswered === UNANSWERED_MAX && !this.#returning;
      if (this.#unanswered < UNANSWERED_MAX && ++this.#unanswered === UNANSWERED_MAX) await this.#serveOn();
      // Once in the log, not for as long as the hub is away.
      if (!isKnown) throw error;
    } finally {
      const isNews = phase !== this.#phaseNow() || have.epoch !== state.read().have.epoch;
      this.#next(this.#returning ? RETURN_RETRY_MS : isNews ? 0 : CHECKIN_MS - CHECKIN_JITTER_MS * Math.random());
    }
  }

  /** Changes of keys first, each in turn, then the assignment; then the keys of the fleet are accepted. */
  async #takeUp(latest: Counters, connection: number): Promise<void> {
    const { transport, state, applier } = this.#parts;
    let unsaved: Error | null = null;
    for (let serial = state.read().have.serial + 1; serial <= latest.serial; serial++) {
      const bytes = await transport.lastOf(STREAMS.revocations, SUBJECTS.revocation(serial));
      if (bytes === null) throw new RecordRefused(`the hub has no revocation ${serial}`);
      const record = this.#openedChange(bytes);
      try {
        // A full disk must not keep a later key valid: what cannot be saved in its turn is in force until then.
        if (unsaved === null) await this.#change(record, serial);
        else await applier.narrow(record);
      } catch (error) {
        // While keys of the fleet are refused, nothing has to be in force sooner.
        if (this.#returning || !(error instanceof Error) || !isPassing(error)) throw error;
        unsaved ??= error;
      }
    }
    if (unsaved !== null) throw unsaved;
    this.#acknowledge();
    await this.#restore();
    if (!isOlder(this.#newest(), latest)) {
      const bytes = await transport.lastOf(STREAMS.desired, SUBJECTS.desired(this.#names.edge));
      if (bytes === null) throw new RecordRefused('the hub has no assignment for this edge');
      await this.#assign(bytes);
    }
    if (!this.#returning || connection !== this.#connections) return;
    await this.#parts.refuseKeys(false);
    if (connection === this.#connections) this.#returning = false;
  }

  async #changeNews(bytes: Uint8Array): Promise<void> {
    const record = this.#openedChange(bytes);
    const { serial } = this.#parts.state.read().have;
    // Earlier ones are missing: a check-in fetches them in order.
    if (record.serial > serial + 1) return this.#next(0);
    if (record.serial === serial + 1) await this.#change(record, record.serial);
    this.#acknowledge();
  }

  async #change(record: KeyChange, serial: number): Promise<void> {
    if (record.serial !== serial) throw new RecordRefused(`revocation ${record.serial} instead of ${serial}`);
    const { applier } = this.#parts;
    await ('limits' in record ? applier.limit(record) : applier.revoke(record));
  }

  #openedChange(bytes: Uint8Array): KeyChange {
    return claimsKind('limits', bytes) ? this.#opened('limits', bytes) : this.#opened('revocation', bytes);
  }

  /** The newest assignment that was applied or refused: only a later one is taken. */
  #newest(): Pick<Counters, 'term' | 'epoch'> {
    const { have, refused } = this.#parts.state.read();
    return refused ?? have;
  }

  async #assignment(bytes: Uint8Array): Promise<void> {
    const { revFloor } = this.#opened('assignment', bytes);
    // With changes of keys missing, its limits would be mixed with older ones: a check-in fetches them first.
    if (revFloor <= this.#parts.state.read().have.serial) await this.#assign(bytes);
    // The hub learns it at once.
    this.#next(0);
  }

  /** Throws RecordRefused for a record that is not for this edge, or not newer; what cannot be applied is reported. */
  async #assign(bytes: Uint8Array): Promise<void> {
    const record = this.#opened('assignment', bytes);
    if (record.edge !== this.#names.edge) throw new RecordRefused('the assignment is for another edge');
    if (isOlder(this.#newest(), record)) throw new RecordRefused('the assignment is not newer');
    this.#phase = 'applying';
    try {
      await this.#parts.applier.assign(record, bytes);
      this.#phase = 'settled';
      this.#reason = null;
    } catch (error) {
      this.#phase = 'refused';
      this.#warn('the assignment', error);
      this.#reason = reasonOf(error);
      // The next check-in tries it again.
      if (isPassing(error)) return;
      await this.#parts.state.refuse(record, this.#reason);
      await this.#restore();
    }
  }

  /** Applies the assignment before a refused one again; after a temporary error, with the next check-in. */
  async #restore(): Promise<void> {
    const { applier, state } = this.#parts;
    const { refused } = state.read();
    if (refused === null || refused.restored) return;
    this.#phase = 'applying';
    try {
      await state.restored(await this.#restored(applier));
    } catch (error) {
      this.#warn('the assignment before it', error);
      if (!isPassing(error)) await state.restored(`The previous assignment failed as well: ${reasonOf(error)}`);
    } finally {
      this.#phase = 'refused';
    }
  }

  #restored(applier: AgentParts['applier']): Promise<string> {
    const bytes = this.#parts.state.lastAssignment();
    return applier.restore(bytes && this.#opened('assignment', bytes));
  }

  #reasonNow(): string | null {
    const reason = this.#parts.state.read().refused?.reason ?? this.#reason;
    return this.#phase === 'refused' ? (reason?.slice(0, REASON_CHARS_MAX) ?? null) : null;
  }

  #phaseNow(): Phase {
    return this.#returning && this.#phase === 'settled' ? 'returning' : this.#phase;
  }

  /** In gateway and vault, up to this serial. */
  #acknowledge(): void {
    const { serial } = this.#parts.state.read().have;
    const bytes = signRecord('ack', { ...this.#names, serial }, this.#signer);
    this.#parts.transport.publish(SUBJECTS.ack(this.#names.edge), bytes);
  }

  #opened<K extends Exclude<RecordKind, 'trust'>>(kind: K, bytes: Uint8Array): RecordOf<K> {
    const record = openRecord(kind, bytes, this.#keys);
    if (record.fleet !== this.#names.fleet) throw new RecordRefused(`the ${kind} is of another fleet`);
    return record;
  }

  #warn(subject: string, error: unknown): void {
    this.#parts.log.warn('the fleet', { subject, error });
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'It failed.';
  return text.slice(0, REASON_CHARS_MAX / 2);
}

/** A later attempt can succeed without any change. */
function isPassing(error: unknown): boolean {
  return error instanceof SluiceError && PASSING.has(error.code);
}
const PASSING: ReadonlySet<string> = new Set([
  'gateway_down',
  'audit_unavailable',
  'disk_reserve',
  'not_saved',
  // A vault that cannot be written, or has too much to write.
  'internal',
  'overloaded',
]);
