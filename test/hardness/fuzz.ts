import { parseArgs } from 'node:util';
import { fuzz } from './fuzz-run.ts';

/**
 * `node test/hardness/fuzz.ts --cases 1000000 --seed 1`: the long run, started manually. Exits with 1 if anything
 * failed.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const cases = Number(values.cases);
const seed = Number(values.seed);
const startedMs = performance.now();
console.log(`seed ${seed}, ${cases.toLocaleString('en')} cases`);
const report = await fuzz({
  cases,
  seed,
  onProgress: (done, mib) =>
    console.log(
      `${done.toLocaleString('en')} at ${Math.round(done / ((performance.now() - startedMs) / 1000))} a second, ${mib} MiB`,
    ),
});
const { violations, ...figures } = report;
console.log(JSON.stringify({ ...figures, casesPerSecond: Math.round(report.cases / report.seconds) }, null, 2));
for (const violation of violations) console.log(violation.slice(0, 3000));
console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
