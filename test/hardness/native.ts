/**
 * `node test/hardness/native.ts --cases 1000000 --seed 1 --state FILE`: runs of generated programs, natively and in the
 * engine itself, with generated messages, until so many results have been compared. It stops at SIGINT and continues from the file. Ends with 1 if a result differed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Equality, EqualityRun, noEquality } from './native-equality.ts';

const SAVED_EVERY = 200;
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    state: { type: 'string' },
  },
});
const cases = Number(values.cases);
const seed = Number(values.seed);
const { state } = values;

async function begun(): Promise<Equality> {
  if (state === undefined) return noEquality();
  try {
    const saved = JSON.parse(await readFile(state, 'utf8')) as { seed: number; counts: Equality };
    return saved.seed === seed ? saved.counts : noEquality();
  } catch {
    return noEquality();
  }
}

const counts = await begun();
const equality = await EqualityRun.open(seed);
let stopped = false;
process.once('SIGINT', () => (stopped = true));
while (counts.runs - counts.left < cases && !stopped) {
  await equality.compare(counts.programs, counts);
  if (counts.programs % SAVED_EVERY !== 0) continue;
  if (state !== undefined) await writeFile(state, JSON.stringify({ seed, counts }));
  console.log(
    `${counts.runs.toLocaleString('en')} runs, ${counts.left} left to the sandbox, ${counts.differences.length} differences`,
  );
}
console.log(JSON.stringify(counts, null, 2));
for (const difference of counts.differences) console.log(difference);
process.exitCode = counts.differences.length === 0 ? 0 : 1;
