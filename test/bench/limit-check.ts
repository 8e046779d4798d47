import { performance } from 'node:perf_hooks';
import { LimitMatcher } from '#common/limits/limit-matcher.ts';

/**
 * The check of a limit (docs/spec/keys.md#limits) while thousands of limited keys share the cache: `node
 * test/bench/limit-check.ts [KEYS]`. Prints the time of one check of a random key.
 */
const KEYS = Number(process.argv[2] ?? 10_000);
const ENTRIES = 200;
const CHECKS = 1_000_000;

let state = 7;
function below(most: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 4_294_967_296) * most);
}

const unit = (): string => `line${below(500)}/unit${below(50)}`;
function entry(): string {
  const kind = below(100);
  if (kind < 50) return `${unit()}/tag${below(100)}`;
  if (kind < 75) return `${unit()}/*`;
  return kind < 98 ? `${unit()}/**` : `line${below(500)}/u*${below(9)}/t*`;
}

function time(): void {
  const matchers = Array.from({ length: KEYS }, () => new LimitMatcher(Array.from({ length: ENTRIES }, entry)));
  const names = Array.from({ length: 20_000 }, () => `${unit()}/tag${below(100)}`);
  const order = Array.from({ length: CHECKS }, () => below(KEYS));
  let covered = 0;
  for (const round of ['first', 'second']) {
    const beganMs = performance.now();
    for (const [index, key] of order.entries())
      if (matchers[key]?.covers(names[index % names.length] ?? '') === true) covered += 1;
    const us = ((performance.now() - beganMs) * 1000) / CHECKS;
    console.log(
      `${round} round: ${us.toFixed(2)} µs for one check of ${KEYS} keys with ${ENTRIES} entries (${covered})`,
    );
  }
}

time();
