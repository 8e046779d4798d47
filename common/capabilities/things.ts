import type { CallArgs, CallName, CALLS } from './calls.ts';

/** Calls with a scope: each scope can be limited. */
type ScopedCall = { [N in CallName]: (typeof CALLS)[N]['scope'] extends null ? never : N }[CallName];

/**
 * The things that the arguments of a call name, in the form of the entries of limits (docs/spec/keys.md#limits): names,
 * or patterns for calls that reach many things. The capability broker refuses the call unless the limit covers each. A
 * call with a scope that is not listed here does not compile.
 */
export const CALL_THINGS: { readonly [N in ScopedCall]: (args: CallArgs<N>) => readonly string[] } = {
  'tags.read': ({ path }) => [path],
  'tags.readMany': ({ paths }) => paths,
  'tags.write': ({ path }) => [path],
  'tags.writeMany': ({ writes }) => writes.map(({ path }) => path),
  'db.query': ({ name }) => [name],
  'db.sql': ({ connection }) => [connection],
  'db.transaction': ({ connection }) => [connection],
  'db.procedure': ({ connection }) => [connection],
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
};

export function isScopedCall(name: CallName): name is ScopedCall {
  return Object.hasOwn(CALL_THINGS, name);
}
