import { onTestFinished } from 'vitest';
import { QUEUE_LIMITS } from './limits.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';

/** A sandbox that is closed at the end of the test. */
export async function fixtureOfTest(limits = QUEUE_LIMITS): Promise<Fixture> {
  const made = await makeFixture({ limits });
  onTestFinished(() => made.sandbox.close());
  return made;
}
