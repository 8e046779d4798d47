import { compileFunction } from 'node:vm';

/**
 * Runs `work`, in which `new Function(…)` compiles through `node:vm`, and returns its result.
 *
 * The gateway runs without code generation from strings, so that a caller's value that reaches `Function` or `eval`
 * through a property is never executed. ajv creates its checks with `new Function`, and does not accept another
 * compiler. Only while `work` runs, the global name `Function` is this replacement; `constructor.constructor` is still
 * the one that throws. `work` must be synchronous, and may compile only text that ajv has quoted.
 */
export function withGeneratedCode<T>(work: () => T): T {
  const own = globalThis.Function;
  globalThis.Function = COMPILING;
  try {
    return work();
  } finally {
    globalThis.Function = own;
  }
}

const COMPILING = new Proxy(globalThis.Function, {
  construct: (_own, words: unknown[]) => {
    const texts = words.map(String);
    return compileFunction(texts.at(-1) ?? '', texts.slice(0, -1));
  },
});
