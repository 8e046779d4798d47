import { onlyTableOf } from './only-table.ts';
import { targetThing } from './target-thing.ts';
import type { CallArgs, CallName, CALLS } from './calls.ts';

/** Calls with a scope: each scope can be limited. Outgoing calls of plugins have none and can be limited, too. */
type LimitedCall = { [N in CallName]: (typeof CALLS)[N]['scope'] extends null ? never : N }[CallName] | 'http.request';

/**
 * The things that the arguments of a call name, in the form of the entries of limits (docs/spec/keys.md#limits): names,
 * or patterns for calls that reach many things. The capability broker refuses the call unless the limit covers each. A
 * call with a scope that is not listed here does not compile.
 */
export const CALL_THINGS: { readonly [N in LimitedCall]: (args: CallArgs<N>) => readonly string[] } = {
  'tags.read': ({ path }) => [path],
  'tags.readMany': ({ paths }) => paths,
  'tags.write': ({ path }) => [path],
  'tags.writeMany': ({ writes }) => writes.map(({ path }) => path),
  'db.query': ({ name }) => [name],
  'db.sql': ({ connection, sql }) => [sqlThing(connection, sql)],
  'db.transaction': ({ connection, statements }) => statements.map(({ sql }) => sqlThing(connection, sql)),
  'db.procedure': ({ connection, procedure }) => [`${connection}/procedure/${procedure}`],
  'historian.query': ({ tags }) => tags,
  'vars.get': ({ name }) => [name],
  'vars.set': ({ name }) => [name],
  'vars.increment': ({ name }) => [name],
  'vars.compareAndSet': ({ name }) => [name],
  'vars.list': ({ prefix }) => [`${prefix}*`, `${prefix}*/**`],
  'vars.remove': ({ name }) => [name],
  'files.read': ({ path }) => [path],
  'files.list': ({ folder }) => [folder === '' ? '*' : `${folder}/*`],
  'files.write': ({ path }) => [path],
  'files.remove': ({ path }) => [path],
  'scripts.run': ({ name }) => [`script/${name}`],
  'messages.send': ({ channel }) => [`channel/${channel}`],
  'http.request': ({ url }) => (URL.canParse(url) ? [targetThing(new URL(url))] : []),
};

/** A statement that certainly changes only one table is that table; any other can do anything on its connection. */
function sqlThing(connection: string, sql: string): string {
  const table = onlyTableOf(sql);
  return table === null ? connection : `${connection}/table/${table}`;
}

export function isLimitedCall(name: CallName): name is LimitedCall {
  return Object.hasOwn(CALL_THINGS, name);
}
