import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse as parseJson } from 'secure-json-parse';
import { type FILE_FORMATS } from '#common/capabilities/calls.ts';
import { jsonInPieces, NodeError } from '#sdk';
import { readCsv, writeCsv } from './csv.ts';
import { refuseEnded, refuseLong } from './refuse.ts';

/**
 * Converts a file's bytes to a value and back. Text is always UTF-8; a byte order mark at the start is removed. JSON
 * with a key named `__proto__` is refused in both directions.
 */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Throws NodeError `file_invalid`, `file_too_large` (more rows than the limit of a list). */
export async function decodeFile(bytes: Uint8Array, format: FileFormat): Promise<unknown> {
  if (format === 'bytes') return bytes;
  const text = decodeText(bytes);
  if (format === 'text') return text;
  return format === 'csv' ? readCsv(text) : decodeJson(text);
}

/** Throws NodeError `file_invalid`, `file_too_large`, and `call_cancelled` once `signal` is aborted. */
export async function encodeFile(content: unknown, format: FileFormat, signal?: AbortSignal): Promise<Uint8Array> {
  if (format === 'bytes') return encodeBytes(content);
  if (format === 'text') return encodeText(content);
  return format === 'csv' ? Buffer.from(await writeCsv(content, signal)) : encodeJson(content, signal);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new NodeError('file_invalid', 'the file is not UTF-8; read it as bytes', { cause });
  }
}

function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new NodeError('file_invalid', 'the file is not JSON that can be taken', { cause });
  }
}

function encodeBytes(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  throw new NodeError('file_invalid', `expected bytes as the content of the file; it is ${kindOf(content)}`);
}

function encodeText(content: unknown): Uint8Array {
  if (typeof content !== 'string')
    throw new NodeError('file_invalid', `expected a string as the content of the file; it is ${kindOf(content)}`);
  if (!content.isWellFormed())
    throw new NodeError('file_invalid', 'the text holds half of a character and has no UTF-8');
  return Buffer.from(content);
}

/**
 * A long value in slices of about a millisecond; the event loop runs in between. A value that contains another one in
 * many places can have a huge text, so its length is limited.
 */
async function encodeJson(content: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    const pieces: Uint8Array[] = [];
    let chars = 0;
    let isDoubtful = false;
    for (const text of jsonInPieces(content)) {
      if (pieces.length > 0) await nextTurn();
      refuseEnded(signal);
      chars += text.length;
      refuseLong(chars);
      isDoubtful ||= text.includes('"__proto__"') || text.includes('"constructor"');
      pieces.push(Buffer.from(text));
    }
    const whole = Buffer.concat(pieces);
    // Values that could not be read again are not written. The keys are searched first, because parsing costs more than
    // writing.
    if (isDoubtful) parseJson(whole.toString());
    return whole;
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    throw new NodeError('file_invalid', 'the content has no JSON form that can be read again', { cause });
  }
}

export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
