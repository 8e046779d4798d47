import { expect, test } from 'vitest';
import { figuresOf, printFigures } from './figures.ts';
import { shortRun } from './rig.ts';
import { runFaults } from './run.ts';

/**
 * The short mode of the rig; `node test/faults/rig.ts` is the full one. The seed is fixed, the timing of the machine is
 * not.
 */
const SEED = 4;
const RUN_MS_MAX = 300_000;

test(
  'misbehaving targets and a killed gateway lose no event, keep the order, and have only explained duplicates',
  { timeout: RUN_MS_MAX },
  async () => {
    const options = shortRun(SEED);
    const result = await runFaults(options);
    const figures = figuresOf(result.evidence, options);
    process.stdout.write(printFigures(figures, result));
    expect(figures.failed).toEqual([]);
    expect(figures.accepted).toBeGreaterThanOrEqual(5000);
    expect(figures.kills.all).toBeGreaterThanOrEqual(12);
    expect(figures.deadLetters).toBeGreaterThan(0);
    // Each type of missing response occurred for an event, and the event arrived again.
    expect(Object.keys(figures.duplicates)).toEqual(
      expect.arrayContaining(['asked to try again', 'no answer', 'answer cut off', 'answer too late', 'kill']),
    );
  },
);
