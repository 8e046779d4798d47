import { afterAll, describe, expect, test } from 'vitest';
import { type Example, type Message, NodeError, type NodeKind, defineKind, takesInput, z } from '#sdk';
import { NO_EGRESS, testEgress } from '#sdk/testing.ts';
import type { RunResult } from '../gateway/pipeline/contract.ts';
import {
  ANYBODY,
  answeringDoor,
  definition,
  dispatch,
  makeHarness,
  message,
  response,
} from '../gateway/pipeline/harness.ts';
import type { LivePipeline } from '../gateway/pipeline/pipeline.ts';
import { createSandbox } from '../gateway/sandbox/sandbox.ts';
import { kinds, manifestOf } from './index.ts';

/** One suite for the examples of all kinds, with the real runtime and the real sandbox. */
const received: { port: string; message: Message }[] = [];

/** Wired to every port of the node under test; records the messages. */
const sink = defineKind({
  id: 'sink',
  version: '1.0.0',
  title: 'Sink',
  summary: 'Notes what comes.',
  category: 'diagnostics',
  settings: z.strictObject({ port: z.string() }),
  ports: [],
  examples: [],
  create: ({ port }) => ({
    run(message, run) {
      received.push({ port, message });
      run.reply({ status: 200, contentType: null, headers: {}, body: null, errorWith200: false });
      return undefined;
    },
  }),
});

const sandbox = await createSandbox({ log: () => undefined });
afterAll(() => sandbox.close());

describe.each(kinds.map((kind) => [kind.id, kind] as const))('the kind %s', (_id, kind) => {
  test('has a title, a summary and at least one example', () => {
    expect(kind.title).not.toBe('');
    expect(kind.summary).toMatch(/\.$/);
    expect(kind.examples.length).toBeGreaterThan(0);
  });

  test('has a manifest in JSON, with a title and a description for every setting', () => {
    const manifest = manifestOf(kind);
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
    for (const [name, field] of settingFields(manifest.settings)) {
      expect(field, `${kind.id}.${name}`).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  });

  test.each(kind.examples.map((example) => [example.title, example] as const))('%s', async (_title, example) => {
    received.length = 0;
    const { runtime, compile } = makeHarness([sink], sandbox, answeringDoor(example.answers ?? {}), egressOf(example));
    const pipeline = await compile(around(kind, example));
    const before = structuredClone(example.payload);
    const result = await begin(pipeline, example.payload);
    const [arrived] = received;
    if ('reply' in example.expect) {
      const { status, body } = example.expect.reply;
      expect(result).toMatchObject({ kind: 'reply', reply: { status, body: asSent(body) } });
    } else if ('error' in example.expect) {
      expect(arrived).toEqual({
        port: 'error',
        message: { ...message(before), error: expect.objectContaining({ code: example.expect.error }) },
      });
    } else {
      expect(arrived).toEqual({ port: example.expect.port, message: message(example.expect.payload) });
    }
    expect(received.length).toBe('reply' in example.expect ? 0 : 1);
    expect(example.payload, 'the message that came in').toEqual(before);
    await runtime.close();
  });
});

function egressOf({ egress }: Example<unknown>) {
  if (egress === undefined) return NO_EGRESS;
  return testEgress(() => {
    if ('error' in egress) throw new NodeError(egress.error, 'as the example says');
    return egress;
  });
}

/** Triggers have no entry: their output is passed in as the message of a test. */
function begin(pipeline: LivePipeline, payload: unknown): Promise<RunResult> | null {
  if (pipeline.entries.length > 0) return dispatch(pipeline, payload, ANYBODY).told;
  pipeline.startTest('in', message(payload), ANYBODY);
  return null;
}

function asSent(body: unknown): unknown {
  return typeof body === 'string' || body === null ? body : JSON.stringify(body);
}

/** ingress → the node → a sink at each of its ports. */
function around(kind: NodeKind, { settings }: Example<unknown>) {
  const read = kind.settings.parse(settings);
  if (!takesInput(kind, read)) {
    const begins = [{ id: 'in', kind: kind.id, settings }, sinkNode('out')];
    return definition(begins, ['in → sink-out'], { grants: [...kind.scopes(read)] });
  }
  const ports = [...kind.ports(read), 'error'];
  const nodes = [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress' } },
    { id: 'node', kind: kind.id, settings },
    ...ports.map(sinkNode),
  ];
  return definition([...nodes, response()], ['in → node', ...ports.map((port) => `node.${port} → sink-${port}`)]);
}

function sinkNode(port: string) {
  return { id: `sink-${port}`, kind: 'sink', settings: { port } };
}

/** The settings' fields in a JSON Schema; for a union, those of all branches. */
function settingFields(schema: unknown): [string, unknown][] {
  const {
    properties = {},
    oneOf = [],
    anyOf = [],
  } = schema as { properties?: object; oneOf?: unknown[]; anyOf?: unknown[] };
  const own = Object.entries(properties).filter(([name]) => name !== 'mode');
  return [...own, ...[...oneOf, ...anyOf].flatMap(settingFields)];
}
