import { type KeyObject, sign, verify } from 'node:crypto';
import { RECORD_BYTES_MAX, RECORD_TYPES, type RecordKind, type RecordOf, RECORDS } from '#common/fleet/records.ts';
import { kidOf, privateKeyOf, publicKeyOf, type RawPair } from './raw-keys.ts';

/**
 * The signed form of a record: `SL1`, type (1 byte), key ID (8), length of the payload (4, big-endian), payload (JSON),
 * Ed25519 signature (64) over the context text and everything before it. The exact bytes are signed and stored; nothing
 * is written again from parsed values.
 *
 * Security: the signature is verified before the payload is parsed.
 */
const MARK = Buffer.from('SL1');
const CONTEXT = Buffer.from('sluice-fleet/1\0');
const HEAD_BYTES = MARK.length + 1 + 8 + 4;
const SIGNATURE_BYTES = 64;

/** Why a record is not accepted, in one sentence without its content. */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
}

export interface Signer {
  kid: string;
  key: KeyObject;
}

export function signerOf(pair: RawPair): Signer {
  return { kid: kidOf(pair.x), key: privateKeyOf('Ed25519', pair) };
}

/** Public keys by key ID. */
export type Trusted = ReadonlyMap<string, KeyObject>;

export function trusted(...publics: readonly string[]): Trusted {
  return new Map(publics.map((x) => [kidOf(x), publicKeyOf('Ed25519', x)]));
}

/** Throws RecordRefused if the record is longer than RECORD_BYTES_MAX. */
export function signRecord<K extends RecordKind>(kind: K, payload: RecordOf<K>, { kid, key }: Signer): Buffer {
  const json = Buffer.from(JSON.stringify(payload));
  const bytes = HEAD_BYTES + json.length + SIGNATURE_BYTES;
  if (bytes > RECORD_BYTES_MAX)
    throw new RecordRefused(`the ${kind} would have ${bytes} bytes; expected at most ${RECORD_BYTES_MAX}`);
  const head = Buffer.alloc(HEAD_BYTES);
  MARK.copy(head);
  head[MARK.length] = RECORD_TYPES[kind];
  head.write(kid, MARK.length + 1, 'hex');
  head.writeUInt32BE(json.length, HEAD_BYTES - 4);
  const signed = Buffer.concat([head, json]);
  return Buffer.concat([signed, sign(null, Buffer.concat([CONTEXT, signed]), key)]);
}

/** Whether it says that it is of this kind; only `openRecord` proves it. */
export function claimsKind(kind: RecordKind, record: Uint8Array): boolean {
  return record[MARK.length] === RECORD_TYPES[kind];
}

/** The payload of an intact record of this kind that one of the keys has signed. Throws RecordRefused. */
export function openRecord<K extends RecordKind>(kind: K, record: Uint8Array, keys: Trusted): RecordOf<K> {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  if (bytes.length > RECORD_BYTES_MAX) throw new RecordRefused(`the ${kind} is longer than ${RECORD_BYTES_MAX} bytes`);
  if (bytes.length < HEAD_BYTES + SIGNATURE_BYTES || !bytes.subarray(0, MARK.length).equals(MARK))
    throw new RecordRefused(`the bytes are not a ${kind}`);
  const jsonBytes = bytes.readUInt32BE(HEAD_BYTES - 4);
  if (bytes.length !== HEAD_BYTES + jsonBytes + SIGNATURE_BYTES)
    throw new RecordRefused(`the ${kind} has another length than it declares`);
  if (bytes[MARK.length] !== RECORD_TYPES[kind]) throw new RecordRefused(`the record is of another kind than ${kind}`);
  const key = keys.get(bytes.toString('hex', MARK.length + 1, MARK.length + 9));
  if (key === undefined) throw new RecordRefused(`the ${kind} is signed by an unknown key`);
  const signed = bytes.subarray(0, HEAD_BYTES + jsonBytes);
  if (!verify(null, Buffer.concat([CONTEXT, signed]), key, bytes.subarray(signed.length)))
    throw new RecordRefused(`the signature of the ${kind} does not match`);
  return payloadOf(kind, signed.subarray(HEAD_BYTES));
}

function payloadOf<K extends RecordKind>(kind: K, json: Buffer): RecordOf<K> {
  let value: unknown;
  try {
    value = JSON.parse(json.toString('utf8'));
  } catch (cause) {
    throw new RecordRefused(`the ${kind} has no JSON`, { cause });
  }
  const result = RECORDS[kind].safeParse(value);
  // The schema of this kind.
  if (result.success) return result.data as RecordOf<K>;
  const [issue] = result.error.issues;
  throw new RecordRefused(`${kind}.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
