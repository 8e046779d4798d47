import { CALLS, type CallDeclaration } from '#common/capabilities/calls.ts';
import { CALL_ARGS_CHARS_MAX } from './limits.ts';

/**
 * The guest's half of capability calls (docs/spec/sandbox.md#isolation), a part of the prelude: the globals, generated
 * from the declarations, and the promises for the responses. The host checks every call again; nothing here is a guard.
 *
 * Arguments are given in the declared order; a call of two or more takes one object of them by name instead (no first
 * argument of such a call is an object). They are serialized immediately, so later changes by the script do not affect
 * the call. A call leaves the guest when the script waits or ends.
 *
 * A promise records whether it was ever awaited: `await`, `then` and `Promise.all` all read its `constructor`. If a
 * call fails that was never awaited, the run fails, like an unhandled rejection elsewhere.
 */
export function callGlobals(plugin: boolean): string {
  const families: Record<string, string | Record<string, string>> = {};
  for (const [name, declaration] of Object.entries(CALLS) as [string, CallDeclaration][]) {
    if (declaration.pluginsOnly === true && !plugin) continue;
    const params = JSON.stringify(Object.keys(declaration.args.shape));
    const [family = name, member] = name.split('.');
    if (member === undefined) families[family] = params;
    else families[family] = { ...membersOf(families[family]), [member]: params };
  }
  return JSON.stringify(families);
}

function membersOf(family: string | Record<string, string> | undefined): Record<string, string> {
  return typeof family === 'object' ? family : {};
}

export const CALLS_PRELUDE = String.raw`
  const ErrorClass = Error;
  const TypeErrorClass = TypeError;
  const { freeze, create, defineProperties } = Object;
  const { isArray } = Array;
  const { indexOf } = String.prototype;
  let open = false;
  let lastId = 0;
  let outbox = [];
  let outBytes = [];
  let leaving = [];
  let failed = [];
  let pending = create(null);
  let pendingCount = 0;

  function coded(code, message) {
    const error = new ErrorClass(message);
    error.code = code;
    return error;
  }

  function byPosition(name, params, given) {
    const only = given[0];
    if (given.length !== 1 || params.length < 2 || typeof only !== 'object' || only === null || isArray(only) || isBytes(only)) return given;
    const keys = ownKeys(only);
    for (let i = 0; i < keys.length; i++) {
      let known = false;
      for (let j = 0; j < params.length; j++) known = known || params[j] === keys[i];
      if (!known) throw coded('call_invalid', name + ': unknown argument ' + String(keys[i]));
    }
    const list = [];
    for (let j = 0; j < params.length; j++) list[j] = only[params[j]];
    return list;
  }

  // A bigint and a cycle are TypeErrors, a nest too deep overflows the stack; a full memory is the run's end, not the call's.
  function dataText(name, kept, bytes) {
    try {
      return encode(kept, bytes);
    } catch (error) {
      if (!(error instanceof TypeErrorClass) && !(error instanceof ErrorClass && error.message === 'Maximum call stack size exceeded')) throw error;
      throw coded('call_invalid', name + ': an argument is not data: ' + error.message);
    }
  }

  function leave(id, name, list) {
    let length = list.length;
    while (length > 0 && list[length - 1] === undefined) length--;
    const kept = [];
    const leftOut = [];
    for (let i = 0; i < length; i++) {
      const type = typeof list[i];
      if (type === 'function' || type === 'symbol') throw coded('call_invalid', name + ': an argument is a ' + type + ', which is not data');
      if (type === 'undefined') leftOut[leftOut.length] = i;
      kept[i] = type === 'undefined' ? null : list[i];
    }
    const bytes = [];
    const text = dataText(name, kept, bytes);
    if (text.length > ${CALL_ARGS_CHARS_MAX}) throw coded('call_invalid', name + ': the arguments are larger than ${CALL_ARGS_CHARS_MAX} characters of JSON');
    for (let i = 0; i < bytes.length; i++) outBytes[outBytes.length] = new Bytes(bytes[i]).buffer;
    outbox[outbox.length] = [id, name, text, bytes.length, leftOut];
  }

  function reject(entry, error) {
    entry.error = error;
    failed[failed.length] = entry;
    entry.reject(error);
  }

  function request(name, params, given) {
    const entry = { __proto__: null, id: ++lastId, heard: false, error: null, trace: new ErrorClass(''), resolve: null, reject: null };
    const promise = new PromiseClass((resolve, reject) => {
      entry.resolve = resolve;
      entry.reject = reject;
    });
    defineProperty(promise, 'constructor', { __proto__: null, get() { entry.heard = true; return PromiseClass; } });
    try {
      if (!open) throw coded('call_unknown', name + ' cannot be called before the script runs');
      leave(entry.id, name, byPosition(name, params, given));
      pending[entry.id] = entry;
      pendingCount++;
    } catch (error) {
      reject(entry, error);
    }
    return promise;
  }

  function makeCall(name, params) {
    return freeze(defineProperties((...given) => request(name, params, given), { name: { value: name } }));
  }

  function makeFamily(family, members) {
    if (typeof members === 'string') return makeCall(family, parse(members));
    for (const name of ownKeys(members)) members[name] = makeCall(family + '.' + name, parse(members[name]));
    return freeze(members);
  }

  // Getters, because this QuickJS lets a fixed property of the global object be redefined when it holds a value; and
  // made when first asked for, because all that is there before the run is copied for each run.
  function offer(families) {
    for (const name of ownKeys(families)) {
      let family;
      defineProperty(globalThis, name, { __proto__: null, get: () => (family ??= makeFamily(name, families[name])), enumerable: true });
    }
  }

  function unheard() {
    const list = [];
    if (pendingCount > 0) for (const id in pending) if (!pending[id].heard) list[list.length] = +id;
    return list;
  }
  const callsLeft = () => outbox.length > 0 || unheard().length > 0;

  function throwUnheard() {
    for (let i = 0; i < failed.length; i++) if (!failed[i].heard) throw failed[i].error;
  }
  function causeOf(error) {
    for (let i = 0; i < failed.length; i++) if (failed[i].error === error) return failed[i].id;
    return null;
  }

  function requests() {
    const text = stringify([outbox, unheard()]);
    leaving = outBytes;
    outbox = [];
    outBytes = [];
    return text;
  }

  function answer(text) {
    const colon = apply(indexOf, text, [':']);
    const id = apply(slice, text, [0, colon]);
    const json = apply(slice, text, [colon + 2]);
    const entry = pending[id];
    const value = lent.length === 0 ? parse(json) : parse(json, fromText);
    lent = [];
    if (entry === undefined) return;
    delete pending[id];
    pendingCount--;
    if (text[colon + 1] === '1') return entry.resolve(value);
    const error = entry.trace;
    error.message = value.message;
    error.code = value.code;
    reject(entry, error);
  }
`;
