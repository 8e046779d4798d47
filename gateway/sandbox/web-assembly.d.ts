/**
 * The part of WebAssembly's JavaScript interface that the sandbox uses (https://webassembly.github.io/spec/js-api/).
 * TypeScript declares it in its DOM library alone, which the gateway must not see.
 */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Memory: new (descriptor: { initial: number; maximum: number }) => Memory;
  function compile(bytes: Uint8Array): Promise<Module>;
}
