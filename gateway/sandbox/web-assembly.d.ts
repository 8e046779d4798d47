/**
 * The part of WebAssembly's JavaScript interface that the sandbox uses (https://webassembly.github.io/spec/js-api/).
 * TypeScript declares it only in its DOM library, which the gateway must not use.
 */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Throws RangeError past the memory's maximum. */
    grow(pages: number): number;
  }
  interface Global {
    value: number;
  }
  interface Instance {
    readonly exports: object;
  }
  type Imports = Readonly<Record<string, Readonly<Record<string, (...given: never[]) => number | undefined>>>>;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
