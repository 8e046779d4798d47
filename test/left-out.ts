import { howToInstall, install, mayInstall, missingNeeds, type Need, unmetNeeds } from '../build/test-needs.ts';

/** Tests that cannot run on this machine. */
export interface LeftOut {
  /** Globs of test files, for vitest.config.ts. */
  readonly files: readonly string[];
  /** One line for each group, with the reason. */
  readonly lines: readonly string[];
  /** How to install the missing programs; null if nothing is missing. */
  readonly remedy: string | null;
}

/** Installs the programs for the tests if possible, and prints which tests cannot run. */
export function prepareMachine(): LeftOut {
  const missing = missingNeeds().filter(isForTests);
  if (missing.length > 0 && mayInstall()) install(missing);
  return leftOutWithout(unmetNeeds().filter(isForTests));
}

export function leftOutWithout(unmet: readonly Need[]): LeftOut {
  return {
    files: [...new Set(unmet.flatMap(({ files = [] }) => files))],
    lines: unmet.map((need) => `left out: ${need.for}: ${need.package} is not installed`),
    remedy: unmet.length === 0 ? null : howToInstall(unmet),
  };
}

function isForTests({ benchmark }: Need): boolean {
  return benchmark !== true;
}
