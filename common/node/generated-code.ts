import { compileFunction } from 'node:vm';

/**
 * Runs `work`, in which `new Function(…)` compiles through `node:vm`, and returns what it returns.
 *
 * The gateway runs without code generation from strings, so that a value of a caller that reaches `Function` or `eval`
 * by some property is not run. ajv makes its checks with `new Function`, and cannot be given another compiler. While it
 * works, and only then, the global name `Function` is this one. `constructor.constructor` is still the one that refuses.
 * `work` must be synchronous, and what it compiles must be made of text that ajv has quoted.
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
