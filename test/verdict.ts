import type { TestModule } from 'vitest/node';

/** Counts of a test run by result. Each error outside tests counts as one failure. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Vitest's report of an error outside every test. */
export interface OutsideError {
  readonly message: string;
  readonly cause?: unknown;
}

export function countTests(modules: readonly TestModule[], errorsOutside: number): Counts {
  const counts: Counts = { passed: 0, failed: errorsOutside, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) counts[testCount(test.result().state)] += 1;
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
  }
  return counts;
}

/** A test without a result counts as failed: it was interrupted. */
function testCount(state: 'pending' | 'passed' | 'failed' | 'skipped'): keyof Counts {
  return state === 'pending' ? 'failed' : state;
}

export function failedOf(modules: readonly TestModule[]): TestModule[] {
  return modules.filter((module) => countTests([module], 0).failed > 0);
}

/**
 * The files whose process crashed in a run, by path. Vitest reports the crash as an error outside every test, which
 * names the file only in its text (`emitUnexpectedExit` of vitest 5).
 */
export function crashedFiles(errors: readonly OutsideError[]): string[] {
  return errors.flatMap((error) => {
    const [, files] = /^Worker exited unexpectedly .* while running test files? (.+)$/.exec(rootMessage(error)) ?? [];
    return files?.split(', ') ?? [];
  });
}

/** Errors that do not belong to a file of the run: interrupted tests are counted with their file. */
export function errorsOutsideFiles(errors: readonly OutsideError[], modules: readonly TestModule[]): number {
  const failed = new Set(failedOf(modules).map(({ moduleId }) => moduleId));
  return errors.filter((error) => {
    const files = crashedFiles([error]);
    return files.length === 0 || !files.every((file) => failed.has(file));
  }).length;
}

function rootMessage({ message, cause }: OutsideError): string {
  if (typeof cause !== 'object' || cause === null || !('message' in cause)) return message;
  return typeof cause.message === 'string' ? cause.message : message;
}

/** Every skipped test with its file; the title of a test with requirements contains the reason. */
export function skippedTests(modules: readonly TestModule[]): string[] {
  return testsIn(modules, 'skipped');
}

/** Every failed test with its file; a file that failed only outside its tests is listed once. */
export function failedTests(modules: readonly TestModule[]): string[] {
  return failedOf(modules).flatMap((module) => {
    const tests = [...testsIn([module], 'failed'), ...testsIn([module], 'pending')];
    return tests.length > 0 ? tests : [module.relativeModuleId];
  });
}

function testsIn(modules: readonly TestModule[], state: 'skipped' | 'failed' | 'pending'): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests(state)].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  );
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
