import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFaults } from '#common/model/openapi-faults.testing.ts';
import { sampleCalls } from './sample-calls.ts';
import { type SampleService, startSamples } from './sample-service.ts';

/**
 * The OpenAPI documents as served: checked with the common rules of linters, and compared with the responses of the
 * routes.
 */
let samples: SampleService;

beforeAll(async () => {
  samples = await startSamples();
});
afterAll(() => samples[Symbol.asyncDispose]());

test('the documents of the admin API and of every sample are valid', () => {
  const found = samples.documents.map(({ name, text }) => [name, openApiFaults(JSON.parse(text))]);
  expect(found).toEqual(samples.documents.map(({ name }) => [name, []]));
});

test('every operation of a sample responds as its document says', async () => {
  for (const { name, text, key } of samples.documents) {
    if (key === null) continue;
    const document: Document & AnySchemaObject = JSON.parse(text);
    const address = document.servers[0]?.url ?? '';
    expect(new URL(address).port).toBe(String(samples.service.gatewayPort));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'document');
    const called = sampleCalls(name);
    expect(called.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(operationsOf(document));
    for (const call of called) {
      const reply: Response = await fetch(`${address}${call.url}`, {
        method: call.method.toUpperCase(),
        headers: { 'X-API-Key': key, ...(call.body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      const body = await reply.text();
      expect(call.statuses, call.url).toContain(reply.status);
      const { content } = resolved(document, document.paths[call.path]?.[call.method]?.responses[reply.status]);
      const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
      expect(Object.keys(content), call.url).toContain(type);
      const check = ajv.compile({ $ref: `document${content[type]?.schema.$ref}` });
      check(type.endsWith('json') ? JSON.parse(body) : body);
      expect(check.errors, `${call.url} ${body}`).toBeNull();
    }
  }
});

interface OpenApiResponse {
  readonly $ref?: string;
  readonly content: Record<string, { readonly schema: { readonly $ref: string } }>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, OpenApiResponse> }>>;
  readonly components: { readonly responses: Record<string, OpenApiResponse> };
}

function resolved(document: Document, response: OpenApiResponse | undefined): OpenApiResponse {
  if (response === undefined) throw new Error('the document does not have this status');
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (document.components.responses[name] ?? response);
}

function operationsOf(document: Document): string[] {
  return Object.entries(document.paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
    .filter((operation) => !operation.startsWith('parameters '))
    .toSorted();
}
