import type { CallArgs, CallName, CALLS } from '#common/capabilities/calls.ts';
import type { WriteKind, WriteResult } from '#common/model/audit.ts';
import { writtenTable } from './written-table.ts';

/** A write that is about to be performed, as far as its call names it. */
export interface PlannedWrite {
  readonly kind: WriteKind;
  readonly thing: string;
  /** The value to be written; absent where it is not journaled. */
  readonly to?: unknown;
  /** The connection through which it is written. */
  readonly device?: string;
  /** It removes stored data: a user must be able to do that on a full disk, on which no row can be written. */
  readonly frees?: true;
}

/** The state of a thing before it is written, as far as its module knows it. */
export interface KnownThing {
  /** The last known value. */
  readonly value?: unknown;
  readonly device?: string;
  /** The SQL of a named query. */
  readonly sql?: string;
}

/** Null: nothing is known of it. Never throws. */
export type LookUp = (name: string) => KnownThing | null;

/**
 * Texts in SQL can be secrets. Where one ends depends on the database (`\'`, `"…"` of MySQL, `$$…$$`), so everything from
 * the first one on is left out.
 */
const FROM_FIRST_TEXT = /(?:['"]|\$\w*\$).*$/su;

type WritingScope = 'tag:write' | 'vars:write' | 'file:write' | 'db:write';
type WithScope<S> = { [N in CallName]: (typeof CALLS)[N]['scope'] extends S ? N : never }[CallName];
/** Calls that write. A call with a scope for writing that is not in the table below does not compile. */
export type WritingCall = WithScope<WritingScope> | 'db.query' | 'messages.send' | 'http.request';

type Plans = { readonly [N in WritingCall]: (args: CallArgs<N>, lookUp: LookUp) => readonly PlannedWrite[] };

/** Methods that by definition change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** The writes of a call, in the order in which they are performed. Values of SQL parameters are not part of it. */
export const CALL_WRITES: Plans = {
  'tags.write': ({ path, value }, lookUp) => [tagWrite(path, value, lookUp)],
  'tags.writeMany': ({ writes }, lookUp) => writes.map(({ path, value }) => tagWrite(path, value, lookUp)),
  'vars.set': ({ name, value }) => [{ kind: 'variable', thing: name, to: value }],
  'vars.increment': ({ name }) => [{ kind: 'variable', thing: name }],
  'vars.compareAndSet': ({ name, value }) => [{ kind: 'variable', thing: name, to: value }],
  'vars.remove': ({ name }) => [{ kind: 'variable', thing: name, to: null, frees: true }],
  'files.write': ({ path }) => [{ kind: 'file', thing: path }],
  'files.remove': ({ path }) => [{ kind: 'file', thing: path, to: null, frees: true }],
  'db.query': ({ name }, lookUp) => {
    const { device = '', sql = '' } = lookUp(name) ?? {};
    return statementWrites(device, [sql]);
  },
  'db.sql': ({ connection, sql }) => statementWrites(connection, [sql]),
  'db.transaction': ({ connection, statements }) =>
    statementWrites(
      connection,
      statements.map(({ sql }) => sql),
    ),
  'db.procedure': ({ connection, procedure }) => [
    {
      kind: 'database',
      thing: `${connection}/${procedure.toLowerCase()}`,
      to: `call ${procedure}`,
      device: connection,
    },
  ],
  'messages.send': ({ channel }) => [{ kind: 'message', thing: channel }],
  'http.request': ({ method, url }) => (URL.canParse(url) ? callWrites(method, new URL(url)) : []),
};

export function isWritingCall(name: string): name is WritingCall {
  return Object.hasOwn(CALL_WRITES, name);
}

/** An outgoing call; path and query are left out, because they may hold a secret, such as that of a webhook. */
export function callWrites(method: string, { origin }: URL): readonly PlannedWrite[] {
  return SAFE_METHODS.includes(method) ? [] : [{ kind: 'call', thing: `${method} ${origin}` }];
}

/** The answer to an outgoing call that was simulated. */
export const REHEARSED_ANSWER = { status: 200, headers: {}, body: null } as const;

function tagWrite(path: string, value: unknown, lookUp: LookUp): PlannedWrite {
  const device = lookUp(path)?.device;
  return { kind: 'tag', thing: path, to: value, ...(device !== undefined && { device }) };
}

function statementWrites(connection: string, statements: readonly string[]): readonly PlannedWrite[] {
  return statements.flatMap((sql) => {
    const table = writtenTable(sql);
    if (table === null || connection === '') return [];
    const thing = table === '' ? connection : `${connection}/${table}`;
    return [{ kind: 'database' as const, thing, to: sql.trim().replace(FROM_FIRST_TEXT, '…'), device: connection }];
  });
}

/** The result of a write according to the value of its call, beyond that it was performed. */
export interface CallResult {
  readonly result?: WriteResult;
  readonly to?: unknown;
  readonly status?: number;
}

const NOTHING_MORE: CallResult = {};

export function resultOf(name: WritingCall, value: unknown): CallResult {
  switch (name) {
    case 'vars.increment':
      return { to: value };
    case 'vars.compareAndSet':
    case 'vars.remove':
    case 'files.remove':
      return value === false ? { result: 'not_performed' } : NOTHING_MORE;
    case 'http.request':
      return hasStatus(value) ? { status: value.status } : NOTHING_MORE;
    default:
      return NOTHING_MORE;
  }
}

/** The result of a simulated write: what the call would not have written either is not performed. */
export function rehearsedResult(name: WritingCall, value: unknown): CallResult {
  return { result: 'rehearsed', ...resultOf(name, value) };
}

function hasStatus(value: unknown): value is { status: number } {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';
}
