import { randomUUID } from 'node:crypto';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { HubFleet, KeyOnEdge } from '#common/contract/fleet.ts';
import { type Counters, edgeName, type RecordOf } from '#common/fleet/records.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { Logger } from '#common/node/log.ts';
import { openRecord, trusted } from '#common/node/fleet/envelope.ts';
import { performAct } from '../admin-api/acts.ts';
import type { Services } from '../admin-api/call.ts';
import { projectFileOf } from '../admin-api/project-file.ts';
import type { Vault } from '../contracts.ts';
import type { FleetReport } from '../fleet-contracts.ts';
import { Enrolment } from './enrolment.ts';
import { fleetKeyOf, keyState } from './fleet-key.ts';
import { refuseDrafts } from './refuse-drafts.ts';
import { STREAMS, SUBJECTS } from './nats/config.ts';
import type { Message, StoringTransport } from './transport.ts';
import { AssignedKeys, limitsText } from './assigned-keys.ts';
import { type Contact, isConnected, statusOf } from './contacts.ts';
import { type DueChange, HubSigner } from './hub-signer.ts';
import { HubState, type KeyChange, type Member, type Token, unknownEdge } from './hub-state.ts';

/** A revocation waits this long for connected members. */
export const ACK_MS_MAX = 1_000;
const ASK_AGAIN_MS = [250, 500] as const;
const RECONCILE_MS = 10_000;
/** Further ahead of the hub at its start, an edge is not believed: it may be a stolen one. */
const AHEAD_MAX = 1_000;
/** In revocations that only fill numbers: no key has it. */
const NO_KEY = '0'.repeat(12);

export interface HubParts {
  vault: Vault;
  services: Services;
  transport: StoringTransport;
  /** Restarts nats-server with the users that are expelled now. */
  onExpelled(): Promise<void>;
  log: Logger;
}

/**
 * The hub (docs/decisions/0025-a-fleet-on-nats.md): admits edges, signs what they get, and knows what they have. All
 * that must not be lost is in the vault before it is published.
 */
export class Hub {
  readonly #parts: HubParts;
  readonly #state: HubState;
  readonly #enrolment: Enrolment;
  readonly #signer: HubSigner;
  readonly #assigned = new AssignedKeys();
  readonly #contacts = new Map<string, Contact>();
  readonly #waiting = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #reconciling: Promise<void> = Promise.resolve();
  /** A record may be missing in the streams. */
  #isMissing = false;
  #isPublishing = false;
  /** nats-server still knows a user whose membership has ended. */
  #hasFormerUser = false;
  /** The newest record of each key that has one: its serial, and the limits in it; null: the key is revoked. */
  readonly #changed = new Map<string, Pick<KeyChange, 'serial' | 'limits'>>();
  #serial = 0;
  /** The highest serial of an edge. Above #serial after the restore of an older backup. */
  #highest = 0;
  readonly #believedMax: number;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#state = new HubState(parts.vault);
    this.#enrolment = new Enrolment({
      vault: parts.vault,
      state: this.#state,
      serial: () => this.#serial,
      act: (...args) => this.#act(...args),
      warn: (subject, error) => this.#warn(subject, error),
    });
    const secret = this.#state.secret();
    this.#signer = new HubSigner(secret);
    for (const keyId of this.#state.settledKeys()) this.#learn({ keyId, serial: 0, limits: null });
    for (const change of this.#state.keyChanges()) this.#learn(change);
    for (const { edge, assignment } of this.#state.members())
      if (assignment !== null)
        this.#assigned.set(
          edge,
          openRecord('assignment', Buffer.from(assignment, 'base64url'), trusted(secret.sign.x)),
        );
    this.#believedMax = this.#serial + AHEAD_MAX;
    this.#timer = setInterval(() => {
      void this.#reconcile().catch(() => {});
      if (this.#isMissing && parts.transport.connected) this.#publishAgain();
      if (this.#hasFormerUser) void this.#endConnections().catch((error: unknown) => this.#warn('nats-server', error));
    }, RECONCILE_MS);
    this.#timer.unref();
  }

  /** Publishes what the streams lack, and listens. */
  async start(): Promise<void> {
    const { transport } = this.#parts;
    transport.subscribe(SUBJECTS.enrol, (message) => void this.#enrol(message));
    transport.subscribe(SUBJECTS.checkin('*'), (message) => this.#checkin(message));
    transport.subscribe(SUBJECTS.ack('*'), (message) => this.#ack(message));
    transport.onChange((connected) => {
      if (connected) this.#publishAgain();
    });
    // A failed step is repeated with the timer. The start must not fail with it: the host would end, with its gateway,
    // and commands that could help, such as expel, need a running hub.
    await this.#publishMissing().catch((error: unknown) => {
      this.#isMissing = true;
      this.#warn('records', error);
    });
    await this.#reconcile().catch(() => {});
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The text of a new token. Throws SluiceError `invalid`, `conflict`. */
  token(edge: string, ttlMs: number, by: string, replaces = false): Promise<string> {
    return this.#enrolment.token(edge, ttlMs, by, replaces);
  }

  /**
   * Assigns the project as it is now to the edge, with its valid keys of the fleet and its running pipelines. Returns the
   * keys that were made before this machine was a hub, by name: edges cannot check them.
   */
  async assign(project: string, edge: string, by: string): Promise<{ epoch: number; leftOut: string[] }> {
    const { services } = this.#parts;
    const found = services.projects.project(project);
    if (found === null) throw new SluiceError('unknown', `There is no project ${project}.`);
    const before = this.#state.member(edge);
    if (before === null) throw unknownEdge(edge);
    if (before.project !== null && before.project !== project)
      throw new SluiceError(
        'conflict',
        `The edge ${edge} has the project ${before.project}; expected this one, because an edge keeps its project.`,
      );
    await this.#reconcile();
    const valid = services.keys.list(project).filter(({ revokedAt, honey }) => revokedAt === null && !honey);
    const keys = valid.flatMap(({ id }) => fleetKeyOf(services.keys.entry(id)) ?? []);
    const ids = new Set(keys.map(({ id }) => id));
    const epoch = before.epoch + 1;
    const running = services.projects.pipelines(project).filter(({ wantedRevision }) => wantedRevision !== null);
    const { resources } = services.projects;
    refuseDrafts(running, resources.drafts('queries', project), resources.drafts('scripts', project));
    const assignment: RecordOf<'assignment'> = {
      fleet: this.#signer.fleet,
      edge,
      term: this.#signer.term,
      epoch,
      at: new Date().toISOString(),
      by,
      project: projectFileOf(services, found),
      keys,
      running: running.map(({ definition }) => definition.id),
      revFloor: this.#serial,
    };
    const record = this.#signer.assignment(assignment);
    await this.#act('edge.assign', edge, by, () =>
      this.#state.assign(edge, { epoch, project, assignment: record.toString('base64url') }, by),
    );
    this.#assigned.set(edge, assignment);
    await this.#store(SUBJECTS.desired(edge), record);
    return { epoch, leftOut: valid.filter(({ id }) => !ids.has(id)).map(({ name }) => name) };
  }

  /** The edge cannot connect any more. Its keys of the fleet stay valid on other edges. */
  async expel(edge: string, by: string): Promise<void> {
    await this.#act('edge.expel', edge, by, () => this.#state.expel(edge, by, Date.now()));
    this.#contacts.delete(edge);
    this.#assigned.forget(edge);
    await this.#endConnections();
  }

  /** Repeated with the timer after an error, such as of a full disk: the command cannot be, as the member is gone. */
  async #endConnections(): Promise<void> {
    this.#hasFormerUser = true;
    try {
      await this.#parts.onExpelled();
      this.#hasFormerUser = false;
    } catch (error) {
      this.#hasFormerUser = true;
      throw error;
    }
  }

  /**
   * Called after the key was revoked, paused or resumed on this machine, or got other limits. Null for a key that no edge
   * has.
   */
  async changed(keyId: string): Promise<FleetReport | null> {
    await this.#reconcile();
    if (!this.#changed.has(keyId)) return null;
    await this.#acknowledged(keyId);
    const serial = this.#serialOf(keyId);
    const members = this.#state.members().map(({ edge }) => edge);
    const report: FleetReport = { serial, confirmed: [], silent: [], cutOff: [] };
    for (const edge of members) {
      const contact = this.#contacts.get(edge);
      if (this.#hasChange(contact?.have ?? null, serial)) report.confirmed.push(edge);
      else if (isConnected(contact)) report.silent.push(edge);
      else report.cutOff.push({ edge, since: contact?.seen ?? null });
    }
    return report;
  }

  status(): HubFleet {
    const edges = this.#state.members().map((member) => statusOf(member, this.#contacts.get(member.edge)));
    return { role: 'hub', address: this.#state.secret().address, serial: this.#serial, edges };
  }

  /** Which edges have the key. Null for a key that no edge can check. */
  keyOn(keyId: string): KeyOnEdge[] | null {
    const entry = this.#parts.services.keys.entry(keyId);
    if (entry?.ofFleet !== true) return null;
    const record = this.#parts.services.keys.get(keyId);
    const isDue = record !== null && this.#dueChange(record, false) !== null;
    const change = this.#changed.get(keyId);
    return this.#state.members().map((member) => {
      const { edge, contact, lastContact, have } = statusOf(member, this.#contacts.get(member.edge));
      const isAssigned = this.#assigned.has(edge, keyId);
      const isInForce = have !== null && have.epoch >= member.epoch;
      // Until a change has its number, no edge has it.
      const confirmed = isDue ? false : change === undefined ? null : this.#hasChange(have, change.serial);
      return { edge, contact, lastContact, key: keyState(entry, { confirmed, isAssigned, isInForce }) };
    });
  }

  /** No edge can have later changes than the hub: such a number confirms nothing. */
  #hasChange(have: Counters | null, serial: number): boolean {
    return have !== null && have.serial >= serial && have.serial <= this.#serial;
  }

  /**
   * Of the newest change of a key. Read again after each wait: a check-in can cause new numbers. While they are being saved,
   * it is one that no edge has.
   */
  #serialOf(keyId: string): number {
    return this.#changed.get(keyId)?.serial ?? this.#highest + 1;
  }

  /** Waits until every connected member has the change, at most ACK_MS_MAX; asks silent ones again in the meantime. */
  async #acknowledged(keyId: string): Promise<void> {
    // Read once: members contain their assignments.
    const members = this.#state.members().map(({ edge }) => edge);
    const missing = () =>
      members.filter((edge) => {
        const contact = this.#contacts.get(edge);
        return contact !== undefined && isConnected(contact) && contact.have.serial < this.#serialOf(keyId);
      });
    if (missing().length === 0) return;
    const done = Promise.withResolvers<void>();
    const check = () => {
      if (missing().length === 0) done.resolve();
    };
    const askAgain = () => {
      const serial = this.#serialOf(keyId);
      const record = this.#state.keyChanges().find((one) => one.serial === serial)?.record;
      if (record === undefined) return;
      const bytes = Buffer.from(record, 'base64url');
      for (const edge of missing()) this.#parts.transport.publish(SUBJECTS.revocationAgain(edge), bytes);
    };
    const timers = [...ASK_AGAIN_MS.map((ms) => setTimeout(askAgain, ms)), setTimeout(done.resolve, ACK_MS_MAX)];
    this.#waiting.add(check);
    await done.promise;
    this.#waiting.delete(check);
    for (const timer of timers) clearTimeout(timer);
  }

  /**
   * Gives every revoked key of the fleet its record, and every key whose limits are not those that edges know. Also
   * called regularly, for keys that were changed in another way: with their project, or by a replay after a restore.
   */
  #reconcile(): Promise<void> {
    const next = this.#reconciling.then(() => this.#recordChanges());
    this.#reconciling = next.catch((error: unknown) => this.#warn('changes of keys', error));
    return next;
  }

  async #recordChanges(): Promise<void> {
    // Edges have other changes under these numbers: all are numbered again, above them.
    const from = Math.max(this.#serial, this.#highest);
    const isBehind = from > this.#serial;
    const due = this.#parts.services.keys.list().flatMap((key) => this.#dueChange(key, isBehind) ?? []);
    if (isBehind) {
      const voids = Array.from({ length: from - this.#serial }, () => ({
        id: NO_KEY,
        limits: null,
        at: null,
        by: null,
      }));
      return this.#record([...voids, ...due], isBehind);
    }
    // Revocations alone and first: they have more room in the vault than other changes.
    const isRevocation = ({ limits }: DueChange) => limits === null;
    await this.#record(due.filter(isRevocation), isBehind);
    // A check-in meanwhile.
    if (this.#highest > this.#serial) return this.#recordChanges();
    await this.#record(
      due.filter((one) => !isRevocation(one)),
      isBehind,
    );
  }

  async #record(changes: readonly DueChange[], isBehind: boolean): Promise<void> {
    if (changes.length === 0) return;
    const records = changes.map((change, index) => this.#signer.change(change, this.#serial + index + 1));
    const before = [...this.#changed];
    // Before they are saved: no edge has the new numbers.
    if (isBehind) this.#changed.clear();
    try {
      await this.#state.addKeyChanges(
        records.map(({ bytes: _bytes, ...stored }) => stored),
        this.#confirmedSerial(),
        'fleet',
      );
    } catch (error) {
      for (const [keyId, known] of before) this.#changed.set(keyId, known);
      throw error;
    }
    for (const change of records) this.#learn(change);
    for (const { serial, bytes } of records) await this.#store(SUBJECTS.revocation(serial), bytes);
  }

  /** Every edge has the changes up to this one, as far as they have said so since this hub started. */
  #confirmedSerial(): number {
    const edges = this.#state.members().map(({ edge }) => this.#contacts.get(edge)?.have.serial ?? 0);
    return Math.min(this.#serial, ...edges);
  }

  /** The change of the key that edges do not have yet; null: none. `again`: earlier records do not count. */
  #dueChange({ id, revokedAt, revokedBy }: KeyRecord, again: boolean): DueChange | null {
    const entry = this.#parts.services.keys.entry(id);
    if (entry?.ofFleet !== true) return null;
    const known = this.#changed.get(id);
    if (revokedAt !== null) {
      const isKnown = known?.limits === null && !again;
      return isKnown ? null : { id, limits: null, at: revokedAt, by: revokedBy };
    }
    const limits = fleetKeyOf(entry)?.limits;
    if (limits === undefined) return null;
    const text = limitsText(limits);
    const isKnown = known === undefined ? !this.#assigned.differs(id, text) : known.limits === text && !again;
    return isKnown ? null : { id, limits, at: null, by: null };
  }

  /** A record that cannot be stored now is published with the next timer or connect. */
  async #store(subject: string, record: Buffer): Promise<void> {
    await this.#parts.transport.store(subject, record).catch((error: unknown) => {
      this.#isMissing = true;
      this.#warn(subject, error);
    });
  }

  #publishAgain(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    void this.#publishMissing()
      .catch((error: unknown) => {
        this.#isMissing = true;
        this.#warn('records', error);
      })
      .finally(() => {
        this.#isPublishing = false;
      });
  }

  /** The streams may be older than the vault, or lost. */
  async #publishMissing(): Promise<void> {
    const { transport } = this.#parts;
    this.#isMissing = false;
    const put = async (stream: string, subject: string, record: Buffer) => {
      const stored = await transport.lastOf(stream, subject);
      if (stored === null || !record.equals(stored)) await transport.store(subject, record);
    };
    for (const { serial, record } of this.#state.keyChanges())
      await put(STREAMS.revocations, SUBJECTS.revocation(serial), Buffer.from(record, 'base64url'));
    for (const { edge } of this.#state.members()) {
      const stored = await transport.lastOf(STREAMS.desired, SUBJECTS.desired(edge));
      // Read after the stream, and stored at once: a newer assignment must not be replaced.
      const assignment = this.#state.member(edge)?.assignment ?? null;
      const record = assignment === null ? null : Buffer.from(assignment, 'base64url');
      if (record !== null && !(stored && record.equals(stored))) await transport.store(SUBJECTS.desired(edge), record);
    }
  }

  #checkin({ subject, bytes, respond }: Message): void {
    const found = this.#member(subject.slice(SUBJECTS.checkin('').length));
    const record = found && this.#opened('checkin', bytes, found);
    if (!found || !record) return;
    const { have, phase, reason, version, nonce } = record;
    this.#contacts.set(found.edge, {
      seenAt: performance.now(),
      seen: new Date().toISOString(),
      have,
      phase,
      reason,
      version,
    });
    this.#tellWaiting();
    if (have.serial > this.#highest && have.serial <= this.#believedMax) this.#highest = have.serial;
    if (this.#highest > this.#serial) {
      this.#warn(found.edge, 'it has later revocations than this hub, which was restored from an older backup');
      void this.#reconcile().catch(() => {});
    }
    const latest = { term: this.#signer.term, epoch: found.epoch, serial: this.#serial };
    respond(this.#signer.answer({ edge: found.edge, nonce, latest }));
  }

  #ack({ subject, bytes }: Message): void {
    const found = this.#member(subject.split('.')[2] ?? '');
    const record = found && this.#opened('ack', bytes, found);
    const contact = found && this.#contacts.get(found.edge);
    if (!record || !contact) return;
    contact.have = { ...contact.have, serial: Math.max(contact.have.serial, record.serial) };
    this.#tellWaiting();
  }

  async #enrol({ bytes, respond }: Message): Promise<void> {
    const { answer, admitted } = await this.#enrolment.answer(bytes);
    respond(answer);
    if (admitted?.replaces === true)
      await this.#replaced(admitted).catch((error: unknown) => this.#warn(admitted.edge, error));
  }

  /** Assigns the project of the replaced PC to the new one, and ends the connection of the replaced PC. */
  async #replaced({ edge, by }: Token): Promise<void> {
    this.#contacts.delete(edge);
    this.#assigned.forget(edge);
    // nats-server has delivered the answer before it answers this, and can be restarted.
    await this.#parts.transport
      .lastOf(STREAMS.desired, SUBJECTS.desired(edge))
      .catch((error: unknown) => this.#warn(edge, error));
    // First: the former PC must not get the new assignment. It is stored when the hub is connected again.
    await this.#endConnections().catch((error: unknown) => this.#warn('nats-server', error));
    const project = this.#state.member(edge)?.project ?? null;
    if (project !== null) await this.assign(project, edge, by);
  }

  #member(edge: string): Member | null {
    return edgeName.safeParse(edge).success ? this.#state.member(edge) : null;
  }

  /** Null: not from this member. */
  #opened<K extends 'checkin' | 'ack'>(kind: K, bytes: Uint8Array, { edge, identity }: Member): RecordOf<K> | null {
    try {
      const record = openRecord(kind, bytes, trusted(identity));
      return record.fleet === this.#signer.fleet && record.edge === edge ? record : null;
    } catch (error) {
      this.#warn(edge, error);
      return null;
    }
  }

  #learn({ keyId, serial, limits }: Pick<KeyChange, 'keyId' | 'serial' | 'limits'>): void {
    this.#changed.set(keyId, { serial, limits });
    this.#serial = Math.max(this.#serial, serial);
  }

  #tellWaiting(): void {
    for (const check of this.#waiting) check();
  }

  #warn(subject: string, error: unknown): void {
    this.#parts.log.warn('the fleet', { subject, error });
  }

  #act<T>(act: string, edge: string, by: string, perform: () => Promise<T>): Promise<T> {
    const who = { requestId: randomUUID(), user: by };
    return performAct(this.#parts.services, { who }, { act, target: edge }, perform);
  }
}
