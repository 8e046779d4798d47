import type { Request, Response } from 'express';
import express from 'express';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { BodyBudget } from './body-budget.ts';
import { type Call, invalid } from './call.ts';
import { isMutation } from './guards.ts';
import { JsonLines } from './json-lines.ts';
import { decodeUtf8, JSON_DEPTH_MAX, parseJson } from './parse-json.ts';

/**
 * Reads a JSON body of at most `bodyBytesMax`; undefined if there is none. Called only after session, CSRF token and
 * permission were checked, so that large bodies of strangers are never read, and within the budget of all bodies.
 * Content codings are refused: a small body must not become a large one.
 */
export async function readBody(
  request: Request,
  response: Response,
  { access, bodyBytesMax, takesLines }: Pick<Call, 'access' | 'bodyBytesMax' | 'takesLines'>,
  budget: BodyBudget,
): Promise<unknown> {
  if (!isMutation(request.method) || !hasBody(request)) return undefined;
  const type = request.headers['content-type'];
  const lines = takesLines && isOf(LINES_TYPE, type);
  if (!lines && !isOf(JSON_TYPE, type)) {
    const more = takesLines ? ' or application/jsonl' : '';
    throw new SluiceError('unsupported_media_type', `Expected Content-Type: application/json${more}.`);
  }
  // A log-in must not wait for imports; its body is small.
  if (access !== 'public') budget.take(request, response, bodyBytesMax);
  const bytes = await readBytes(request, response, bodyBytesMax);
  if (bytes.length === 0) return undefined;
  return lines ? JsonLines.of(bytes) : parsed(bytes);
}

const JSON_TYPE = 'application/json';
/** Some tools send the second instead of the first. */
const LINES_TYPE = 'application/(?:jsonl|x-ndjson)';

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0 ||
    request.headers['content-type'] !== undefined
  );
}

function isOf(type: string, contentType: string | undefined): boolean {
  return new RegExp(`^${type}\\s*(?:;\\s*charset="?utf-8"?\\s*)?$`, 'i').test(contentType?.trim() ?? '');
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

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    const message = `expected a JSON body in UTF-8, at most ${JSON_DEPTH_MAX} levels deep, without "__proto__"`;
    throw invalid([{ path: '', message }]);
  }
}
