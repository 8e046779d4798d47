import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { EgressAnswer } from '#common/model/egress.ts';
import { inTransaction } from '#common/node/transaction.ts';
import type { OutboxLine } from './contract.ts';
import { EVENT_OVERHEAD_BYTES } from './limits.ts';
import { DEAD, type OpenedFile, QUEUED } from './schema.ts';
import type { Seal } from './seal.ts';
import { type EventContent, packContent, unpackContent } from './content.ts';

/** The only code that reads and writes `outbox.sqlite`. Only `atomically` commits. */
export type Row = Record<string, SQLOutputValue>;

export interface TargetRow {
  readonly id: number;
  readonly origin: string;
  readonly paused: boolean;
  readonly reason: string | null;
  readonly pausedBy: string | null;
  readonly pausedAtMs: number | null;
  readonly streak: number;
}

export interface QueueRow {
  readonly target: number;
  /** Hex. */
  readonly queue: string;
  readonly count: number;
}

export interface EventRow {
  readonly seq: number;
  readonly id: string;
  readonly target: number;
  /** Hex. */
  readonly queue: string;
  readonly line: number;
  readonly state: 'queued' | 'dead';
  readonly acceptedAtMs: number;
  readonly method: string;
  readonly bodyBytes: number;
  /** In the buffer. */
  readonly bytes: number;
  readonly attempts: number;
  readonly nextAtMs: number | null;
  readonly answers: number;
  readonly answersSinceMs: number | null;
  readonly edits: number;
  readonly reason: string | null;
  readonly diedAtMs: number | null;
  /** Those that are kept, oldest first (tries.ts). */
  readonly tries: readonly EgressAnswer[];
  readonly sealed: Uint8Array;
}

export interface NewEvent {
  readonly id: string;
  readonly target: number;
  readonly line: number;
  readonly acceptedAtMs: number;
  readonly method: string;
  readonly content: EventContent;
}

/** The result of an attempt for an event that remains. */
export interface Tried {
  readonly attempts: number;
  readonly nextAtMs: number | null;
  readonly answers: number;
  readonly answersSinceMs: number | null;
  readonly tries: readonly EgressAnswer[];
}

export type LineSecrets = Pick<OutboxLine, 'headers' | 'timeoutMs' | 'tls'>;
export type LinePlace = Pick<OutboxLine, 'project' | 'pipeline' | 'node' | 'test'>;

const UNSEALED = `seq, id, target, queue, line, state, accepted_at, method, body_bytes, bytes, attempts, next_at,
  answers, answers_since, edits, reason, died_at, last`;
const NOTHING = new Uint8Array();

export class OutboxStore {
  readonly db: DatabaseSync;
  readonly #seal: Seal;
  readonly #prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  constructor({ db, seal }: OpenedFile) {
    this.db = db;
    this.#seal = seal;
  }

  atomically<T>(work: () => T): T {
    return inTransaction(this.db, work);
  }

  close(): void {
    this.db.close();
  }

  // ── Targets and lines ─────────────────────────────────────────────────────────────────────────────────────────

  targets(): TargetRow[] {
    return this.#all('SELECT * FROM targets ORDER BY id').map((row) => ({
      id: Number(row['id']),
      origin: String(row['origin']),
      paused: row['paused'] === 1,
      reason: text(row['reason']),
      pausedBy: text(row['paused_by']),
      pausedAtMs: number(row['paused_at']),
      streak: Number(row['streak']),
    }));
  }

  addTarget(origin: string): number {
    return Number(this.#run('INSERT INTO targets (origin) VALUES (?)', origin).lastInsertRowid);
  }

  putTarget({ id, paused, reason, pausedBy, pausedAtMs, streak }: TargetRow): void {
    this.#run(
      'UPDATE targets SET paused = ?, reason = ?, paused_by = ?, paused_at = ?, streak = ? WHERE id = ?',
      paused ? 1 : 0,
      reason,
      pausedBy,
      pausedAtMs,
      streak,
      id,
    );
  }

  /** The line of a node to a target, created if it does not exist; `secrets` replace the previous ones. */
  putLine({ project, pipeline, node, test }: LinePlace, target: number, secrets: LineSecrets | null): number {
    const place = [project, pipeline, node, test ? 1 : 0, target] as const;
    this.#run('INSERT OR IGNORE INTO lines (project, pipeline, node, test, target) VALUES (?, ?, ?, ?, ?)', ...place);
    const where = 'project = ? AND pipeline = ? AND node = ? AND test = ? AND target = ?';
    const id = Number(this.#get(`SELECT id FROM lines WHERE ${where}`, ...place)?.['id']);
    if (secrets !== null) {
      const sealed = this.#seal.seal(`line ${id}`, Buffer.from(JSON.stringify(secrets)));
      this.#run('UPDATE lines SET sealed = ? WHERE id = ?', sealed, id);
    }
    return id;
  }

  /** The sender config of the line; null: only imported events refer to it. Throws if it cannot be decrypted. */
  lineSecrets(id: number): LineSecrets | null {
    const sealed = this.#get('SELECT sealed FROM lines WHERE id = ?', id)?.['sealed'];
    if (!(sealed instanceof Uint8Array)) return null;
    return JSON.parse(this.#seal.open(`line ${id}`, sealed).toString('utf8')) as LineSecrets;
  }

  linePlace(id: number): LinePlace {
    const row = this.#get('SELECT project, pipeline, node, test FROM lines WHERE id = ?', id) ?? {};
    return {
      project: String(row['project']),
      pipeline: String(row['pipeline']),
      node: String(row['node']),
      test: row['test'] === 1,
    };
  }

  /** It has no stored events and no node calls it. */
  dropTarget(id: number): void {
    this.atomically(() => {
      this.#run('DELETE FROM lines WHERE target = ?', id);
      this.#run('DELETE FROM targets WHERE id = ?', id);
    });
  }

  /** At a start with an empty outbox, before any node opens a line: nothing needs the old ones. */
  sweep(): void {
    if (this.#get('SELECT 1 AS one FROM events LIMIT 1') !== undefined) return;
    this.atomically(() => this.db.exec('DELETE FROM lines; DELETE FROM targets WHERE paused = 0'));
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────────────────────

  queueOf(orderingKey: string | null): string {
    return this.#seal.queue(orderingKey).toString('hex');
  }

  /** The row in its final form, encrypted; `insert` writes it. */
  seal({ id, target, line, acceptedAtMs, method, content }: NewEvent, state: 'queued' | 'dead'): Omit<EventRow, 'seq'> {
    const sealed = this.#sealContent(id, content);
    return {
      id,
      target,
      queue: this.queueOf(content.orderingKey),
      line,
      state,
      acceptedAtMs,
      method,
      bodyBytes: content.body?.byteLength ?? 0,
      bytes: sealed.byteLength + EVENT_OVERHEAD_BYTES,
      attempts: 0,
      nextAtMs: null,
      answers: 0,
      answersSinceMs: null,
      edits: 0,
      reason: null,
      diedAtMs: null,
      tries: [],
      sealed,
    };
  }

  /** Returns its `seq`. */
  insert(row: Omit<EventRow, 'seq'>): number {
    const sql = `INSERT INTO events (id, target, queue, line, state, accepted_at, method, body_bytes, bytes, edits, reason, died_at, sealed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const { id, target, line, acceptedAtMs, method, bodyBytes, bytes, edits, reason, diedAtMs, sealed } = row;
    const state = row.state === 'dead' ? DEAD : QUEUED;
    const queue = Buffer.from(row.queue, 'hex');
    const sent = [acceptedAtMs, method, bodyBytes, bytes, edits] as const;
    return Number(this.#run(sql, id, target, queue, line, state, ...sent, reason, diedAtMs, sealed).lastInsertRowid);
  }

  remove(seq: number): void {
    this.#run('DELETE FROM events WHERE seq = ?', seq);
  }

  removeById(id: string): void {
    this.#run('DELETE FROM events WHERE id = ?', id);
  }

  tried(seq: number, { attempts, nextAtMs, answers, answersSinceMs, tries }: Tried): void {
    this.#run(
      'UPDATE events SET attempts = ?, next_at = ?, answers = ?, answers_since = ?, last = ? WHERE seq = ?',
      attempts,
      nextAtMs,
      answers,
      answersSinceMs,
      this.#sealTries(seq, tries),
      seq,
    );
  }

  died(seq: number, reason: string, diedAtMs: number, { attempts, tries }: Pick<Tried, 'attempts' | 'tries'>): void {
    this.#run(
      'UPDATE events SET state = ?, reason = ?, died_at = ?, next_at = NULL, attempts = ?, last = ? WHERE seq = ?',
      DEAD,
      reason,
      diedAtMs,
      attempts,
      this.#sealTries(seq, tries),
      seq,
    );
  }

  /** Returned to its position in its queue, as if it had never been tried. */
  revive(seq: number, line: number): void {
    this.#run(
      `UPDATE events SET state = ?, reason = NULL, died_at = NULL, next_at = NULL, answers = 0, answers_since = NULL, line = ?
       WHERE seq = ?`,
      QUEUED,
      line,
      seq,
    );
  }

  /** Returns its current size in the buffer. */
  edit({ seq, id }: EventRow, content: EventContent): number {
    const sealed = this.#sealContent(id, content);
    const bytes = sealed.byteLength + EVENT_OVERHEAD_BYTES;
    this.#run(
      'UPDATE events SET sealed = ?, body_bytes = ?, bytes = ?, edits = edits + 1 WHERE seq = ?',
      sealed,
      content.body?.byteLength ?? 0,
      bytes,
      seq,
    );
    return bytes;
  }

  /** The first event of a queue after `afterSeq`. */
  head(target: number, queue: string, afterSeq: number): EventRow | null {
    const sql = `SELECT * FROM events INDEXED BY events_queue WHERE target = ? AND queue = ? AND state = ${QUEUED} AND seq > ? ORDER BY seq LIMIT 1`;
    return this.#event(this.#get(sql, target, Buffer.from(queue, 'hex'), afterSeq));
  }

  find(id: string): EventRow | null {
    return this.#event(this.#get('SELECT * FROM events WHERE id = ?', id));
  }

  /** By target, then oldest first, after `after`; without the encrypted content, which can be large (`find` has it). */
  page(state: 'queued' | 'dead', target: number | null, after: { target: number; seq: number }, limit: number) {
    const place = target === null ? '(target, seq) > (?, ?)' : 'target = ? AND seq > ?';
    const sql = `SELECT ${UNSEALED} FROM events WHERE state = ? AND ${place} ORDER BY target, seq LIMIT ?`;
    const from = target === null || after.target === target ? after : { target, seq: 0 };
    const rows = this.#all(sql, state === 'dead' ? DEAD : QUEUED, from.target, from.seq, limit);
    return rows.flatMap((row) => this.#event(row) ?? []);
  }

  countQueued(target: number, lastSeq: number): number {
    const sql = `SELECT COUNT(*) AS count FROM events WHERE state = ${QUEUED} AND target = ? AND seq <= ?`;
    return Number(this.#get(sql, target, lastSeq)?.['count']);
  }

  /** Milliseconds since 1970; null: nothing is queued. */
  oldestMs(target: number): number | null {
    const sql = `SELECT accepted_at FROM events WHERE state = ${QUEUED} AND target = ? ORDER BY seq LIMIT 1`;
    return number(this.#get(sql, target)?.['accepted_at']);
  }

  queues(): QueueRow[] {
    const sql = `SELECT target, queue, COUNT(*) AS count FROM events INDEXED BY events_queue WHERE state = ${QUEUED} GROUP BY target, queue`;
    return this.#all(sql).map((row) => ({
      target: Number(row['target']),
      queue: Buffer.from(row['queue'] as Uint8Array).toString('hex'),
      count: Number(row['count']),
    }));
  }

  /** Dead and queued events of each target and line. */
  totals(): { target: number; line: number; state: 'queued' | 'dead'; count: number; bytes: number; newest: number }[] {
    const sql = `SELECT target, line, state, COUNT(*) AS count, SUM(bytes) AS bytes, MAX(seq) AS newest
      FROM events GROUP BY state, target, line`;
    return this.#all(sql).map((row) => ({
      target: Number(row['target']),
      line: Number(row['line']),
      state: row['state'] === DEAD ? 'dead' : 'queued',
      count: Number(row['count']),
      bytes: Number(row['bytes']),
      newest: Number(row['newest']),
    }));
  }

  /** Throws if it cannot be decrypted. */
  content({ id, sealed }: Pick<EventRow, 'id' | 'sealed'>): EventContent {
    return unpackContent(this.#seal.open(`event ${id}`, sealed));
  }

  /** Unused bytes of the file: new events use them before the file grows. */
  unusedBytes(): number {
    const pages = Number(this.#get('PRAGMA freelist_count')?.['freelist_count'] ?? 0);
    return pages * Number(this.#get('PRAGMA page_size')?.['page_size'] ?? 0);
  }

  /** Returns some free pages to the disk. */
  shrink(pages: number): void {
    if (this.#get('PRAGMA freelist_count')?.['freelist_count'] !== 0)
      this.db.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  #sealContent(id: string, content: EventContent): Buffer {
    return this.#seal.seal(`event ${id}`, packContent(content));
  }

  #sealTries(seq: number, tries: readonly EgressAnswer[]): Buffer {
    return this.#seal.seal(`answer ${seq}`, Buffer.from(JSON.stringify(tries)));
  }

  /** None if they cannot be decrypted: the event itself can still be sent. */
  #openTries(seq: number, sealed: SQLOutputValue | undefined): readonly EgressAnswer[] {
    if (!(sealed instanceof Uint8Array)) return [];
    try {
      const opened = JSON.parse(this.#seal.open(`answer ${seq}`, sealed).toString('utf8')) as
        EgressAnswer | EgressAnswer[];
      return Array.isArray(opened) ? opened : [opened];
    } catch {
      return [];
    }
  }

  #event(row: Row | undefined): EventRow | null {
    if (row === undefined) return null;
    const seq = Number(row['seq']);
    return {
      seq,
      id: String(row['id']),
      target: Number(row['target']),
      queue: Buffer.from(row['queue'] as Uint8Array).toString('hex'),
      line: Number(row['line']),
      state: row['state'] === DEAD ? 'dead' : 'queued',
      acceptedAtMs: Number(row['accepted_at']),
      method: String(row['method']),
      bodyBytes: Number(row['body_bytes']),
      bytes: Number(row['bytes']),
      attempts: Number(row['attempts']),
      nextAtMs: number(row['next_at']),
      answers: Number(row['answers']),
      answersSinceMs: number(row['answers_since']),
      edits: Number(row['edits']),
      reason: text(row['reason']),
      diedAtMs: number(row['died_at']),
      tries: this.#openTries(seq, row['last']),
      sealed: (row['sealed'] as Uint8Array | undefined) ?? NOTHING,
    };
  }

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = this.db.prepare(sql);
    this.#prepared.set(sql, fresh);
    return fresh;
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#statement(sql).run(...values);
  }

  #get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }
}

function text(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: SQLOutputValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
