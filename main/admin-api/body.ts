import type { Request, Response } from 'express';
import express from 'express';
import secureJson from 'secure-json-parse';
import { SluiceError } from '#common/errors/catalogue.ts';
import { invalid } from './call.ts';
import { isMutation } from './guards.ts';

/**
 * Reads a JSON body of at most `bytesMax`; undefined when there is none. Called only after session, CSRF token and
 * permission were checked, so that a stranger's megabyte is never taken. Content codings are refused: a small body
 * must not become a large one.
 */
export async function readBody(request: Request, response: Response, bytesMax: number): Promise<unknown> {
  if (!isMutation(request.method) || !hasBody(request)) return undefined;
  if (!isJson(request.headers['content-type'])) {
    throw new SluiceError('unsupported_media_type', 'Expected Content-Type: application/json.');
  }
  const bytes = await readBytes(request, response, bytesMax);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0 ||
    request.headers['content-type'] !== undefined
  );
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType?.trim() ?? '');
}

function readBytes(request: Request, response: Response, bytesMax: number): Promise<Buffer> {
  const parse = express.raw({ type: () => true, limit: bytesMax, inflate: false });
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error) reject(bodyError(error, bytesMax));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function bodyError(error: unknown, bytesMax: number): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  if (type === 'entity.too.large')
    return new SluiceError('payload_too_large', `Expected a body of at most ${bytesMax} bytes.`);
  if (type === 'encoding.unsupported')
    return new SluiceError('unsupported_media_type', 'Expected a body without content coding.');
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return invalid([{ path: '', message: 'the body ended early' }]);
  return error;
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
    return value;
  } catch {
    throw invalid([{ path: '', message: 'expected a JSON body in UTF-8 without "__proto__"' }]);
  }
}
