import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Client, createHarness, type Harness, type HarnessOptions } from './harness.testing.ts';

/** The harness of this test or file, and its first Administrator. */
export let harness: Harness;
export let admin: Client;

interface UsedHarness extends HarnessOptions {
  /** A project that the first Administrator has created. */
  project?: { id: string; name: string };
}

/** Each test of this file has its own harness. */
export function harnessPerTest(options?: UsedHarness): void {
  beforeEach(() => open(options));
  afterEach(() => harness.close());
}

/** All tests of this file share a harness. */
export function harnessPerFile(options?: UsedHarness): void {
  beforeAll(() => open(options));
  afterAll(() => harness.close());
}

async function open({ project, ...options }: UsedHarness = {}): Promise<void> {
  harness = await createHarness(options);
  admin = await harness.setUp();
  if (project) await admin.send('POST', '/projects', project);
}
