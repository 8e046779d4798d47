import type { Connection, Submittable } from 'pg';
import type { QueryResult } from '#common/model/named-query.ts';
import type { RowCollector } from '../rows.ts';
import type { WireGuard } from '../wire.ts';
import { postgresValue } from './postgresql-values.ts';

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The parts of pg's connection whose declared types are wrong (the row count is a number on the wire). */
interface Wire {
  parse(statement: { name: string; text: string; types: [] }): void;
  bind(portal: { portal: string; statement: string; values: (string | Buffer | null)[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
  sync(): void;
  stream: { destroy(error?: Error): void };
}

/**
 * One statement in one round trip, of which the server sends at most `rowsMax` rows (extended query protocol: Parse,
 * Bind, Describe, Execute with a row count, Sync). The server completes a statement that changes rows regardless of the
 * count. The protocol accepts only one statement.
 */
export class RowReader implements Submittable {
  readonly done: Promise<QueryResult>;
  readonly #text: string;
  readonly #values: (string | Buffer | null)[];
  readonly #rowsMax: number;
  readonly #rows: RowCollector;
  readonly #wire: WireGuard;
  readonly #settle = Promise.withResolvers<QueryResult>();
  #types: readonly number[] = [];
  #changed = 0;

  constructor(
    text: string,
    values: (string | Buffer | null)[],
    { rows, rowsMax, wire }: { rows: RowCollector; rowsMax: number; wire: WireGuard },
  ) {
    this.#text = text;
    this.#values = values;
    this.#rows = rows;
    this.#rowsMax = rowsMax;
    this.#wire = wire;
    this.done = this.#settle.promise;
  }

  submit(connection: Connection): void {
    const wire: unknown = connection;
    const { stream } = connection;
    this.#wire.mark();
    stream.cork();
    this.#send(wire as Wire);
    stream.uncork();
  }

  #send(wire: Wire): void {
    wire.parse({ name: '', text: this.#text, types: [] });
    wire.bind({ portal: '', statement: '', values: this.#values });
    wire.describe({ type: 'P', name: '' });
    wire.execute({ portal: '', rows: this.#rowsMax });
    wire.sync();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#types = fields.map(({ dataTypeID }) => dataTypeID);
    this.#rows.columns(fields.map(({ name }) => name));
  }

  handleDataRow({ fields, length }: { fields: readonly (string | null)[]; length: number }): void {
    this.#wire.mark();
    if (this.#rows.full) return;
    this.#rows.add(
      fields.map((text, index) => (text === null ? null : postgresValue(this.#types[index] ?? 0, text))),
      length,
    );
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#changed = Number(/(\d+)$/.exec(text)?.[1] ?? 0);
  }

  handlePortalSuspended(): void {
    // The limit was reached: the server keeps the remaining rows.
  }

  handleEmptyQuery(): void {
    // A statement that consists of comments: no rows, no changes.
  }

  handleCopyInResponse(connection: Wire): void {
    connection.stream.destroy(new Error('COPY cannot be run here'));
  }

  handleCopyData(): void {
    // The row is dropped.
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows.result(this.#changed));
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }
}
