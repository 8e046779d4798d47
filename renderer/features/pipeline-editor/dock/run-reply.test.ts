import { expect, test } from 'vitest';
import type { RunRecord } from '#common/model/records.ts';
import type { Draft } from '../model/draft.ts';
import { isErrorAsSuccess, replyOf } from './run-reply.ts';

const draft = (settings: Record<string, unknown>): Draft => ({
  id: 'p',
  name: 'P',
  runAs: 'caller',
  grants: [],
  nodes: [{ id: 'ok', kind: 'http-response', position: { x: 0, y: 0 }, settings }],
  wires: [],
});
const run = (status: number | null, body: unknown, more: Partial<RunRecord> = {}): RunRecord => ({
  id: 'r',
  requestId: 'r',
  pipeline: 'p',
  revision: 1,
  caller: null,
  route: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  outcome: status === null ? 'ended' : 'replied',
  status,
  error: null,
  test: true,
  steps: [
    {
      node: 'ok',
      kind: 'http-response',
      port: null,
      startedUs: 0,
      durationUs: 1,
      input: { payload: { body } },
      output: null,
    },
  ],
  payloadsOmitted: false,
  ...more,
});

test.each([200, 201, 202, 299])('an error in a body with status %d is not a success', (status) => {
  expect(isErrorAsSuccess(run(status, { error: 'no stock' }), draft({}))).toBe(true);
  expect(isErrorAsSuccess(run(status, {}), draft({ body: { error: 'no stock' } }))).toBe(true);
});

test('an error in a body with an error status is correct, and so is a body without an error', () => {
  expect(isErrorAsSuccess(run(400, { error: 'grams is missing' }), draft({}))).toBe(false);
  expect(isErrorAsSuccess(run(201, { stored: 1 }), draft({}))).toBe(false);
  expect(isErrorAsSuccess(run(201, ['error']), draft({}))).toBe(false);
  expect(isErrorAsSuccess(run(201, 'error'), draft({}))).toBe(false);
  expect(isErrorAsSuccess(run(null, { error: 1 }), draft({}))).toBe(false);
});

test('a run without its payloads has no reply to show', () => {
  expect(replyOf(run(201, { error: 1 }, { payloadsOmitted: true }), draft({}))).toBeNull();
});
