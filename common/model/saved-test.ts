import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { isCredentialField, isCredentialName } from './credential-names.ts';
import { displayName, nodeId } from './ids.ts';
import { maskKeys, maskKeysInPath } from '../api-key.ts';
import { CREDENTIAL_HEADERS } from './route-settings.ts';
import { textUpTo } from './bounds.ts';

/**
 * A saved request to a pipeline that can be run again, with the expected status. It is part of the pipeline: every
 * reader of the pipeline can read it, and exported files contain it, so headers, query parameters and fields of the
 * body that carry credentials by their names are stored without their values, and API keys are masked. It is not sent to the gateway.
 */
export const SAVED_TESTS_MAX = 50;
/** Limits for one text of a request and for all saved tests of a pipeline, so that pipelines stay small. */
export const SAVED_TEST_TEXT_CHARS_MAX = 64 * 1024;
export const SAVED_TESTS_CHARS_MAX = 512 * 1024;

const text = textUpTo(SAVED_TEST_TEXT_CHARS_MAX);
const texts = z.record(z.string().max(256), text, { error: expected('object') });

export const savedTest = z.strictObject({
  name: displayName,
  request: z.strictObject({
    node: nodeId.meta({ description: 'The route or trigger at which the test begins.' }),
    params: texts,
    headers: texts,
    query: text.meta({ description: 'As in a URL: `line=7&tag=a`.' }),
    body: text.meta({ description: 'JSON; empty = none. Of a trigger: its payload.' }),
  }),
  expected: z
    .int()
    .min(100)
    .max(599)
    .nullable()
    .meta({ description: 'The status that is expected; null = a run without a reply.' }),
});

export type SavedTest = z.infer<typeof savedTest>;

/** Names of headers, query parameters and fields of the body with credentials that have values. */
export function credentialsOf({ headers, query, body }: SavedTest['request']): string[] {
  const named = Object.keys(headers).filter((name) => isCredentialName(name) && headers[name] !== '');
  const asked = [...new URLSearchParams(query)].filter(([name, value]) => isCredentialName(name) && value !== '');
  return [...new Set([...named, ...asked.map(([name]) => name), ...credentialFields(body)])];
}

/** The test in the form in which it can be saved. */
export function withoutCredentials(test: SavedTest): SavedTest {
  const { params, headers, query, body } = test.request;
  const request = {
    params: mapped(params, (_, value) => maskKeys(value)),
    headers: mapped(headers, (name, value) => (isCredentialName(name) ? '' : maskKeys(value))),
    query: query.split('&').map(maskedParameter).join('&'),
    body: maskKeys(withoutFields(body)),
  };
  return { ...test, request: { ...test.request, ...request } };
}

function mapped(values: Record<string, string>, change: (name: string, value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}

function maskedParameter(part: string): string {
  const [[name = '', value = ''] = []] = new URLSearchParams(part);
  return isCredentialName(name) && value !== '' ? part.slice(0, part.indexOf('=') + 1) : maskKeysInPath(part);
}

/**
 * A field of a JSON text with a text or a number. A name does not begin within another text: otherwise a body of `\"`
 * takes time that is quadratic in its length.
 */
const FIELD = /(?<!\\)("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;

/** The text of the JSON stays as it was typed, but for the values of credentials. */
function withoutFields(body: string): string {
  return body.replaceAll(FIELD, (whole, name: string, between: string) =>
    isCredentialField(textOf(name)) ? `${name}${between}""` : whole,
  );
}

function credentialFields(body: string): string[] {
  return [...body.matchAll(FIELD)]
    .filter(([, name = '', , value]) => value !== '""' && isCredentialField(textOf(name)))
    .map(([, name = '']) => textOf(name));
}

function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** Refused since the first release; the values of others are removed (main/projects/pipeline-secrets.ts). */
function refusedHeaders({ headers }: SavedTest['request']): string[] {
  const refused = [...CREDENTIAL_HEADERS, 'x-api-key'];
  return Object.keys(headers).filter((name) => refused.includes(name.toLowerCase()) && headers[name] !== '');
}

export const savedTests = z
  .array(savedTest)
  .max(SAVED_TESTS_MAX, expected('count_max', { max: SAVED_TESTS_MAX, of: 'tests' }))
  .superRefine((tests, context) => {
    const chars = JSON.stringify(tests).length;
    if (chars > SAVED_TESTS_CHARS_MAX)
      context.addIssue({ code: 'custom', message: expected('length_max', { max: SAVED_TESTS_CHARS_MAX }) });
    for (const [at, { request }] of tests.entries())
      for (const name of refusedHeaders(request))
        context.addIssue({
          code: 'custom',
          path: [at, 'request', 'headers', name.slice(0, 60)],
          message: 'contains credentials, which a saved test does not keep; expected an empty string',
        });
    const names = new Set(tests.map(({ name }) => name));
    if (names.size < tests.length)
      context.addIssue({ code: 'custom', message: 'two tests have the same name; expected each once' });
  });
