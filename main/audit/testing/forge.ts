import { forge } from './forge-run.ts';

/**
 * `node main/audit/testing/forge.ts [forgeries] [seed]`: the long run of forge.test.ts; exits with 1 if a forgery was
 * not detected.
 */
const [forgeries = '10000', seed = String(Date.now() % 1e6)] = process.argv.slice(2);
const started = performance.now();
const report = await forge({
  forgeries: Number(forgeries),
  seed: Number(seed),
  onProgress: (done) => console.log(`${done} forgeries`),
});
console.table(report.kinds);
for (const sentence of report.silent.slice(0, 20)) console.log(sentence);
console.log(
  `${report.forgeries} forgeries, ${report.silent.length} silent, seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exitCode = report.silent.length === 0 ? 0 : 1;
