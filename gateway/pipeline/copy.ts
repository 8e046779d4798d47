import type { Message } from '#common/model/message.ts';
import { NodeError } from '#sdk';
import { leafBytes, VALUE_BYTES } from './size.ts';

/** Bytes that a run may still copy. */
export interface CopyBudget {
  bytesLeft: number;
  /** The error message if that is not enough; by default, that fan-out copied too much. */
  readonly tooLarge?: string;
  /** Also count parts that copies share with their original: strings, and the names of fields. */
  readonly countsTexts?: true;
}

/**
 * A copy of a message for a further wire: the payload is copied, the rest is shared and must not be changed. Not
 * `structuredClone`: it is several times slower on small messages, cannot be limited, and copies the whole pool that a
 * short `Uint8Array` may be a window of. Only values that are neither JSON nor bytes are passed to it. Throws NodeError
 * `copies_too_large`, RangeError if the value is nested too deeply, DataCloneError.
 */
export function copyMessage(message: Message, budget: CopyBudget): Message {
  const { payload, request, caller, error } = message;
  const copied = copyValue(payload, budget);
  return error === undefined ? { payload: copied, request, caller } : { payload: copied, request, caller, error };
}

/** Estimated bytes that one message between pipelines may have. */
const PAYLOAD_BYTES_MAX = 16 * 1024 * 1024;

const PAYLOAD_TOO_LARGE = `payload: a message between pipelines may hold at most ${PAYLOAD_BYTES_MAX} bytes`;

export interface CopiedPayload {
  readonly payload: unknown;
  /** Estimated. */
  readonly bytes: number;
}

/** A copy of a payload that shares no object with it. Throws like `copyMessage`. */
export function copyPayload(payload: unknown): CopiedPayload {
  const budget: CopyBudget = { bytesLeft: PAYLOAD_BYTES_MAX, tooLarge: PAYLOAD_TOO_LARGE, countsTexts: true };
  const copied = copyValue(payload, budget);
  return { payload: copied, bytes: PAYLOAD_BYTES_MAX - budget.bytesLeft };
}

function copyValue(value: unknown, budget: CopyBudget): unknown {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null) {
    if (budget.countsTexts) spend(budget, leafBytes(value));
    return value;
  }
  spend(budget, leafBytes(value));
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return copyList(value, budget);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  return copyObject(value, prototype, budget);
}

function copyList(list: readonly unknown[], budget: CopyBudget): unknown[] {
  spend(budget, list.length * VALUE_BYTES);
  return list.map((value) => copyValue(value, budget));
}

function copyObject(source: object, prototype: object | null, budget: CopyBudget): object {
  const copy: Record<string, unknown> = prototype === null ? Object.create(null) : {};
  for (const [name, value] of Object.entries(source)) {
    spend(budget, budget.countsTexts ? leafBytes(name) : VALUE_BYTES);
    if (name === '__proto__') defineOwn(copy, name, copyValue(value, budget));
    else copy[name] = copyValue(value, budget);
  }
  return copy;
}

/** Assignment to `__proto__` would change the prototype; this creates an own property as in the source. */
function defineOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function spend(budget: CopyBudget, bytes: number): void {
  budget.bytesLeft -= bytes;
  if (budget.bytesLeft >= 0) return;
  const { tooLarge = 'several wires from one port copied more than a run may hold' } = budget;
  throw new NodeError('copies_too_large', tooLarge);
}
