import { SAVED_TESTS_MAX, savedTest, type SavedTest, withoutCredentials } from '#common/model/saved-test.ts';

/**
 * Saved tests belong to the pipeline (`tests` of its definition). Earlier releases kept them in the browser of each
 * user; the UI offers to import those.
 */
interface TestsPlace {
  /** The ID of the user. */
  user: string;
  project: string;
  pipeline: string;
}

const keyOf = ({ user, project, pipeline }: TestsPlace) => `sluice.tests.${user}/${project}/${pipeline}`;

export function testsOfBrowser(storage: Pick<Storage, 'getItem'>, place: TestsPlace): SavedTest[] {
  try {
    const read = savedTest.array().safeParse(JSON.parse(storage.getItem(keyOf(place)) ?? '[]'));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

export function forgetTestsOfBrowser(storage: Pick<Storage, 'removeItem'>, place: TestsPlace): void {
  storage.removeItem(keyOf(place));
}

/** Without credentials. A test with the same name is replaced; beyond SAVED_TESTS_MAX the oldest is removed. */
export function withTest(tests: readonly SavedTest[], test: SavedTest): SavedTest[] {
  return [...tests.filter(({ name }) => name !== test.name), withoutCredentials(test)].slice(-SAVED_TESTS_MAX);
}
