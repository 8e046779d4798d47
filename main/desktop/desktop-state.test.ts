import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStateKeeper, FIRST_STATE, readDesktopState } from './desktop-state.ts';

let folder: string;
let file: string;
let warnings: string[];
const log = { warn: (message: string) => void warnings.push(message) };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-state-'));
  file = join(folder, 'state.json');
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const bounds = { x: -1920, y: 0, width: 1280, height: 800 };

test('the first start has no file, which is not an error', async () => {
  expect(await readDesktopState(file, log)).toEqual(FIRST_STATE);
  expect(warnings).toEqual([]);
});

test('a saved state is read again', async () => {
  const keeper = createStateKeeper(file, FIRST_STATE);
  await Promise.all([keeper.change({ bounds }), keeper.change({ maximised: true }), keeper.change({ kiosk: true })]);
  expect(await readDesktopState(file, log)).toEqual({ bounds, maximised: true, kiosk: true, toldStillServing: false });
  expect(keeper.current.kiosk).toBe(true);
});

test.each([
  ['cut off', '{"bounds":'],
  ['of another shape', '{"bounds":null}'],
  ['with an extra field', JSON.stringify({ ...FIRST_STATE, more: 1 })],
  ['with a window of no size', JSON.stringify({ ...FIRST_STATE, bounds: { ...bounds, width: 0 } })],
  ['with a window beyond any screen', JSON.stringify({ ...FIRST_STATE, bounds: { ...bounds, x: 1e9 } })],
  ['with a string for a number', JSON.stringify({ ...FIRST_STATE, bounds: { ...bounds, x: '1' } })],
  ['too large', `${JSON.stringify(FIRST_STATE)}${' '.repeat(5_000)}`],
])('a file that is %s is ignored, with a line in the log', async (_what, text) => {
  await writeFile(file, text);
  expect(await readDesktopState(file, log)).toEqual(FIRST_STATE);
  expect(warnings).toHaveLength(1);
});

test('a state that cannot be written is reported, and the next one is tried', async () => {
  const keeper = createStateKeeper(join(folder, 'none', 'state.json'), FIRST_STATE);
  await expect(keeper.change({ kiosk: true })).rejects.toThrow('ENOENT');
  await expect(keeper.change({ kiosk: false })).rejects.toThrow('ENOENT');
});

test('only its owner may read it', async () => {
  await createStateKeeper(file, FIRST_STATE).change({ maximised: true });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ maximised: true });
});
