/** A function that refuses as Node's permission model does. */
export function denied(what: string): () => never {
  return () => {
    const error = new Error(`The gateway may not use ${what}. Files and processes of the host are closed to it.`);
    throw Object.assign(error, { code: 'ERR_ACCESS_DENIED' });
  };
}

/** The class, built through `construct` wherever it is found: by its name, and as `constructor` of its objects. */
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
