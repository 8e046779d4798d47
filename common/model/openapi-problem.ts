import { CATALOGUE, type ErrorCode } from '../errors/catalogue.ts';

type Json = Record<string, unknown>;

/** The schema of an error of Sluice (RFC 9457) in an OpenAPI document. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
  properties: {
    type: { type: 'string', description: 'urn:sluice:problem:<code>' },
    title: { type: 'string', description: 'The code in plain words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', description: 'Error code, for programs.' },
    detail: { type: 'string', description: 'Explanation of this error, for people.' },
    requestId: {
      type: 'string',
      description: 'Also in the header X-Request-Id; names the request in the audit journal.',
    },
  },
};

export const REQUEST_ID_HEADER = {
  description: 'Id of the request. The audit journal explains a refused request by it.',
  schema: { type: 'string' },
};

export const RETRY_AFTER_HEADER = {
  description: 'Seconds after which a retry makes sense.',
  schema: { type: 'integer', minimum: 1 },
};

export const PROBLEM_CONTENT = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** A sentence for each code. */
export function problemDescription(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${CATALOGUE[code].title}.`).join(' ');
}

/** `headers` by name, in addition to `X-Request-Id`, which every reply has. */
export function problemResponse(codes: readonly ErrorCode[], headers: Json = {}): Json {
  return {
    description: problemDescription(codes),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers },
    content: PROBLEM_CONTENT,
  };
}
