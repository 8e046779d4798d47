import { expect } from 'vitest';
import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import type { RawResponse } from './response-parser.ts';

const FIELDS = ['type', 'title', 'status', 'code', 'detail', 'requestId'];

/**
 * Checks all that every refusal made by the gateway has in common (docs/spec/requests.md#errors): status, flat ASCII
 * problem details under 1 KB, the request ID in header and body, and the end of the connection, unless it is kept.
 * Returns the request ID.
 */
export function expectRefusal(
  response: RawResponse | undefined,
  code: ErrorCode,
  connection: 'close' | 'keep-alive' = 'close',
): string {
  expect(response, 'an answer').toBeDefined();
  if (!response) return '';
  const problem = response.json() as Record<string, unknown>;
  const { status, title } = CATALOGUE[code];
  expect({ status: response.status, code: problem['code'] }).toEqual({ status, code });
  expect(Object.keys(problem).toSorted()).toEqual(FIELDS.toSorted());
  expect(problem).toMatchObject({ type: `urn:sluice:problem:${code}`, title, status });
  expect(String(problem['detail'])).toMatch(/\S/);
  expect(response.body.length).toBeLessThan(1024);
  expect(response.body.every((byte) => byte >= 0x20 && byte <= 0x7e)).toBe(true);
  expect(response.header('content-type')).toBe('application/problem+json');
  expect(response.header('x-content-type-options')).toBe('nosniff');
  expect(response.header('connection')?.toLowerCase()).toBe(connection);
  if (code === 'overloaded') expect(response.header('retry-after')).toBe('1');
  const requestId = response.header('x-request-id') ?? '';
  expect(requestId).not.toBe('');
  expect(problem['requestId']).toBe(requestId);
  return requestId;
}

/** Like `expectRefusal`, if more than one code is correct. Returns the request ID. */
export function expectOneRefusal(response: RawResponse | undefined, codes: readonly ErrorCode[]): string {
  if (!response) throw new Error('no refusal came');
  const { code } = response.json() as { code: ErrorCode };
  expect(codes).toContain(code);
  return expectRefusal(response, code);
}
