import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('after SQLite was loaded, cached code of V8 is still valid', () => {
  const code = `
    import { Script } from 'node:vm';
    import { loadImages } from ${JSON.stringify(import.meta.resolve('./image-store.ts'))};
    const cachedData = new Script('1 + 1').createCachedData();
    const loading = loadImages();
    // By another name each time, because V8 keeps what it has compiled.
    const rejected = (filename) => new Script('1 + 1', { cachedData, filename }).cachedDataRejected;
    const before = rejected('a');
    await loading;
    console.log(before, rejected('b'));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  // Rejected while SQLite is loaded: the flags that decide when its functions are optimised are different then.
  expect(said.trim()).toBe('true false');
});
