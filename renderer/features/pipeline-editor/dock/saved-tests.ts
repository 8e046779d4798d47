import type { TestRequest } from './test-request.ts';

/**
 * A test to be run again, with the status that is expected then. Kept by this browser for each person and pipeline:
 * its body may come from a run, which not everybody at this PC may read.
 */
export interface SavedTest {
  name: string;
  request: TestRequest;
  /** Null: a run without a reply. */
  expected: number | null;
}

export const TESTS_MAX = 50;

export interface TestsPlace {
  /** The person's id. */
  user: string;
  project: string;
  pipeline: string;
}

const keyOf = ({ user, project, pipeline }: TestsPlace) => `sluice.tests.${user}/${project}/${pipeline}`;

export function readTests(storage: Pick<Storage, 'getItem'>, place: TestsPlace): SavedTest[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isTest).slice(0, TESTS_MAX) : [];
  } catch {
    return [];
  }
}

/** False: the browser keeps nothing for this page. */
export function writeTests(storage: Pick<Storage, 'setItem'>, place: TestsPlace, tests: readonly SavedTest[]): boolean {
  try {
    storage.setItem(keyOf(place), JSON.stringify(tests.slice(0, TESTS_MAX)));
    return true;
  } catch {
    return false;
  }
}

/** One of the same name gives way; beyond TESTS_MAX the oldest does. */
export function withTest(tests: readonly SavedTest[], test: SavedTest): SavedTest[] {
  return [...tests.filter(({ name }) => name !== test.name), test].slice(-TESTS_MAX);
}

function isTest(value: unknown): value is SavedTest {
  if (typeof value !== 'object' || value === null) return false;
  const { name, request, expected } = value as Record<string, unknown>;
  return typeof name === 'string' && isRequest(request) && (expected === null || typeof expected === 'number');
}

function isRequest(value: unknown): value is TestRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { node, params, headers, query, body } = value as Record<string, unknown>;
  const areTexts = [node, query, body].every((text) => typeof text === 'string');
  return areTexts && [params, headers].every((group) => typeof group === 'object' && group !== null);
}
