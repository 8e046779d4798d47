/** A function that throws the same error as Node's permission model. */
export function denied(what: string): () => never {
  return () => {
    const error = new Error(`The gateway may not use ${what}. Files and processes of the host are closed to it.`);
    throw Object.assign(error, { code: 'ERR_ACCESS_DENIED' });
  };
}

/**
 * A class that is created through `construct` wherever it is reachable: by its name, and as `constructor` of its
 * objects.
 */
export function guardedClass<T extends object, A extends unknown[]>(
  original: new (...words: A) => T,
  construct: (words: A) => A,
): new (...words: A) => T {
  const guarded = new Proxy(original, {
    construct: (target, words, newTarget) => Reflect.construct(target, construct(words as A), newTarget) as T,
  });
  Reflect.defineProperty(original.prototype as object, 'constructor', { value: guarded });
  return guarded;
}
