import { ERROR_CHARS_MAX, RESULT_CHARS_MAX } from './limits.ts';
import { callGlobals, CALLS_PRELUDE } from './prelude-calls.ts';

/** Removed because QuickJS stores the source text of each function, and its memory is copied for each run. */
const INDENT_OR_COMMENT = /^\s*(?:\/\/.*)?/gm;

/**
 * `kinds` of a plugin: the default export maps each to its function, and `http.request` is available; null: a script.
 */
export function prelude(kinds: readonly string[] | null): string {
  return PRELUDE.replace('$CALLS', () => callGlobals(kinds !== null))
    .replace('$KINDS', () => JSON.stringify(kinds))
    .replaceAll(INDENT_OR_COMMENT, '');
}

/**
 * Guest code between the host and a script, for the convenience of scripts. It is not a guard: script and prelude share
 * one realm, and the host trusts none of its output. Its value is a function of the host call table that returns the
 * entries (`prelude-entries.ts`).
 */
const PRELUDE = String.raw`(function (host) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, construct, defineProperty, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { slice, startsWith } = String.prototype;
  const PromiseClass = Promise;
  const typedTag = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const Bytes = Uint8Array;
  const isBytes = (value) => apply(typedTag, value, []) === 'Uint8Array';
  const MARK = '\u0001';
  const KINDS = $KINDS;
  const ObjectClass = Object;

  // Buffers that change their size or go from hand to hand have been the way into engines' memory, and no pipeline
  // needs them. The engine's own constructor, which can make them, is reachable no more.
  const FixedBuffer = ArrayBuffer;
  const bufferPrototype = FixedBuffer.prototype;
  globalThis.ArrayBuffer = function ArrayBuffer(length) {
    if (new.target === undefined) throw new TypeError('constructor requires \'new\'');
    return construct(FixedBuffer, [length], new.target);
  };
  defineProperty(ArrayBuffer, 'prototype', { value: bufferPrototype, writable: false });
  for (const key of ['isView', Symbol.species]) defineProperty(ArrayBuffer, key, getOwnPropertyDescriptor(FixedBuffer, key));
  for (const key of ownKeys(bufferPrototype))
    if (key !== 'byteLength' && key !== 'slice' && key !== Symbol.toStringTag) delete bufferPrototype[key];
  defineProperty(bufferPrototype, 'constructor', { value: ArrayBuffer, writable: true, enumerable: false, configurable: true });
  for (const key of ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'queueMicrotask']) delete globalThis[key];
  delete Error.prepareStackTrace;

  let script;
  let detecting = false;
  let sawBytes = false;
  let lent = [];
  let chunks = [];
  let target = chunks;
  let state = 'waiting';
  let outcome;

  // JSON.stringify of bytes stays what the language says; only the look for bytes in a result answers otherwise.
  defineProperty(Uint8Array.prototype, 'toJSON', {
    value: function toJSON() {
      if (!detecting || !isBytes(this)) return this;
      sawBytes = true;
      return null;
    },
  });

  const toText = (key, value) => {
    if (typeof value === 'string') return apply(startsWith, value, [MARK]) ? MARK + value : value;
    if (typeof value !== 'object' || value === null || !isBytes(value)) return value;
    target[target.length] = value;
    return MARK + (target.length - 1);
  };
  const fromText = (key, value) => {
    if (typeof value !== 'string' || !apply(startsWith, value, [MARK])) return value;
    const rest = apply(slice, value, [1]);
    return apply(startsWith, rest, [MARK]) ? rest : new Bytes(lent[+rest]);
  };

  function encode(value, bytes) {
    sawBytes = false;
    detecting = true;
    let text;
    try {
      text = stringify(value);
    } finally {
      detecting = false;
    }
    if (!sawBytes) return text;
    target = bytes;
    return stringify(value, toText);
  }
${CALLS_PRELUDE}
  function finish(value) {
    const text = resultText(value);
    if (lastId === 0) return text;
    throwUnheard();
    return callsLeft() ? 'c' + text : text;
  }

  function resultText(value) {
    if (value === undefined) return 'null';
    let text = encode(value, chunks);
    if (text === undefined) throw new TypeError('it returned a ' + typeof value + ', which is not data');
    if (sawBytes) text = 'b' + chunks.length + ':' + text;
    if (text.length > ${RESULT_CHARS_MAX}) throw new RangeError('its result is larger than ${RESULT_CHARS_MAX} characters of JSON');
    return text;
  }

  async function settle(value, done) {
    try {
      outcome = done(await value);
      state = 'done';
    } catch (error) {
      outcome = error;
      state = 'failed';
    }
  }

  function accept(module) {
    const names = ownKeys(module).filter((name) => typeof name === 'string');
    if (names.length !== 1 || names[0] !== 'default') throw new TypeError('expected one export, the default one; it has ' + (names.join(', ') || 'none'));
    if (KINDS !== null) return acceptMap(module.default);
    if (typeof module.default !== 'function') throw new TypeError('expected the default export to be a function; it is ' + (module.default === null ? 'null' : 'of type ' + typeof module.default));
    script = module.default;
    return 'null';
  }

  function acceptMap(map) {
    if (typeof map !== 'object' || map === null) throw new TypeError('expected the default export to be an object of functions, one per kind');
    for (const key of ownKeys(map)) if (typeof map[key] !== 'function') throw new TypeError('expected a function for each kind; ' + String(key) + ' is not a function');
    const kinds = ObjectClass.assign(create(null), map);
    for (let i = 0; i < KINDS.length; i++) if (kinds[KINDS[i]] === undefined) throw new TypeError('expected a function for the kind ' + KINDS[i]);
    script = (call) => {
      const kind = kinds[call[0]];
      if (typeof kind !== 'function') throw new TypeError('it has no kind ' + call[0]);
      return kind(...call[1]);
    };
    return 'null';
  }

  function load(module) {
    if (!(module instanceof PromiseClass)) return accept(module);
    settle(module, accept);
    return '';
  }

  function run(given) {
    const message = typeof given !== 'string' ? given : lent.length === 0 ? parse(given) : parse(given, fromText);
    state = 'waiting';
    counter = 0;
    open = true;
    const value = script(message);
    if (typeof value !== 'object' || value === null || typeof value.then !== 'function') return finish(value);
    settle(value, finish);
    return '';
  }

  function take() {
    if (state === 'failed') throw outcome;
    return state === 'done' ? outcome : '';
  }

  function chunk(index) {
    const bytes = chunks[index];
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : apply(Bytes.prototype.slice, bytes, []).buffer;
  }

  const bounded = (value, length) => (typeof value === 'string' ? apply(slice, value, [0, length]) : '');
  function describe(error) {
    const cause = lastId === 0 ? null : causeOf(error);
    const calls = outbox.length > 0;
    if (typeof error !== 'object' || error === null) return stringify(['', bounded(String(error), ${ERROR_CHARS_MAX}), '', cause, calls]);
    return stringify([bounded(error.name, 100), bounded(error.message, ${ERROR_CHARS_MAX}), bounded(error.stack, 2000), cause, calls]);
  }

  // The engine's own generator would repeat itself after each restore: sfc32, seeded by the host when first used.
  let a = 0, b = 0, c = 0, counter = 0;
  Math.random = function random() {
    if (counter === 0) { a = host.entropy(); b = host.entropy(); c = host.entropy(); }
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0 || 1;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 4294967296;
  };

  offer($CALLS);
  return [load, run, take, (buffer) => { lent[lent.length] = buffer; }, chunk, describe, requests, (i) => leaving[i], answer];
})`;
