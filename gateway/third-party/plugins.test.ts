import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PluginLoad, pluginManifest } from '#common/model/plugin-manifest.ts';
import { createLogger } from '#common/node/log.ts';
import { type Message, type NodeKind, NodeError } from '#sdk';
import { NO_EGRESS, testRun } from '#sdk/testing.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { openTrustedCode, type PluginCode } from './plugin-code.ts';
import { PluginSet } from './plugin-set.ts';

const dir = dirPerTest();
let closed: string[];
let left: string[];
let set: PluginSet;
beforeEach(async () => {
  closed = [];
  left = [];
  set = new PluginSet({
    shipped: new Set(['rest-api']),
    openSandboxed: async (code, manifest) => watched(await openTrustedCode(code, manifest), manifest.id),
    openTrusted: openTrustedCode,
    log: createLogger('test', () => undefined),
  });
});
afterEach(() => set.close());

function watched(code: PluginCode, id: string): PluginCode {
  return { ...code, leave: (project) => void left.push(project), close: () => void closed.push(id) };
}

const CODE = `export default {
  'acme-scale': (message, settings) => ({ payload: { ...message.payload, scaled: message.payload.raw * settings.factor } }),
};`;
const SETTINGS = {
  type: 'object',
  properties: { factor: { type: 'number' } },
  required: ['factor'],
  additionalProperties: false,
};
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An approved plugin on disk. */
function approved(code = CODE, more: object = {}, id = 'acme'): PluginLoad {
  const folder = join(dir.path, id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  const manifest = pluginManifest.parse({
    id,
    name: 'Acme scales',
    version: '1.2.0',
    kinds: [
      { id: `${id}-scale`, title: 'Scale', summary: 'Scales a value.', settings: SETTINGS, ports: ['out', 'low'] },
    ],
    ...more,
  });
  return { id, folder, files: { 'index.js': hash(code) }, manifest };
}

const message = (payload: unknown): Message => ({ payload, request: null, caller: null });
async function nodeOf(kind: NodeKind | undefined, settings: unknown = { factor: 2 }, project = 'p') {
  if (kind === undefined) throw new Error('the plugin brought no kind');
  const scripts = { compile: () => Promise.reject(new Error('none')) };
  return kind.create(kind.settings.parse(settings), {
    project,
    node: { id: 'n', name: 'n' },
    scripts,
    egress: NO_EGRESS,
  });
}
const failure = (error: unknown): unknown => (error instanceof NodeError ? error.code : error);

describe('an approved plugin', () => {
  test('provides its kinds, with its own schema as their settings', async () => {
    const { kinds, manifests, states } = await set.configure([approved()]);
    expect(states).toEqual([{ id: 'acme', version: '1.2.0', loaded: true, reason: null }]);
    expect(manifests).toMatchObject([{ id: 'acme-scale', plugin: 'acme', ports: ['out', 'low'], settings: SETTINGS }]);
    const node = await nodeOf(kinds[0]);
    expect(await node.run(message({ raw: 21 }), testRun())).toEqual({
      port: 'out',
      message: message({ raw: 21, scaled: 42 }),
    });
    await node.close?.();
    for (const wrong of [{}, { factor: 'two' }, { factor: 1, more: 2 }, null])
      expect(kinds[0]?.settings.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  test('uses the port that it names, or none', async () => {
    const code = `export default { 'acme-scale': ({ payload }) => payload.end ? null : { port: payload.port, payload: 1 } };`;
    const { kinds } = await set.configure([approved(code)]);
    const node = await nodeOf(kinds[0]);
    expect(await node.run(message({ port: 'low' }), testRun())).toMatchObject({ port: 'low' });
    expect(await node.run(message({ end: true }), testRun())).toBeUndefined();
    expect(await Promise.resolve(node.run(message({ port: 'high' }), testRun())).catch(failure)).toBe('plugin_failed');
  });
});

describe('rejected plugins and their reasons', () => {
  const reasonOf = async (load: PluginLoad): Promise<string | null> => {
    const { kinds, states } = await set.configure([load]);
    expect(kinds).toEqual([]);
    return states[0]?.reason ?? null;
  };

  test('a file that was changed after the approval', async () => {
    const load = approved();
    writeFileSync(join(load.folder, 'index.js'), `${CODE}\n`);
    expect(await reasonOf(load)).toContain('index.js is not what was approved');
  });

  test('a missing file', async () => {
    const load = approved();
    rmSync(join(load.folder, 'index.js'));
    expect(await reasonOf(load)).toContain('index.js is missing');
  });

  test('a file that is not the main one but was approved with it', async () => {
    const load = approved();
    expect(await reasonOf({ ...load, files: { ...load.files, 'LICENSE.txt': hash('') } })).toContain(
      'LICENSE.txt is missing',
    );
  });

  test('a main file that was not among the approved ones', async () => {
    expect(await reasonOf({ ...approved(), files: {} })).toContain('was not approved');
  });

  test.each([
    ['that does not parse', 'export default {', 'Unexpected'],
    ['that exports no map', 'export const a = 1', 'no default export'],
    ['that lacks a kind', 'export default {}', 'no function for the kind "acme-scale"'],
    ['that throws', 'throw new Error("at the top")', 'at the top'],
  ])('a module %s', async (_what, code, reason) => {
    expect(await reasonOf(approved(code))).toContain(reason);
  });

  test('a kind that already exists in Sluice or another plugin', async () => {
    const shipped = approved(CODE, { kinds: [{ id: 'rest-api', title: 'T', summary: 'S.' }] });
    expect(await reasonOf(shipped)).toContain('"rest-api" already');
    const other = { ...approved(), id: 'other' };
    const { states } = await set.configure([approved(), other]);
    expect(states.map(({ loaded }) => loaded)).toEqual([true, false]);
  });

  test('does not keep the others from loading', async () => {
    const broken = approved('nonsense(', {}, 'broken');
    const { states } = await set.configure([broken, approved()]);
    expect(states.map(({ id, loaded }) => [id, loaded])).toEqual([
      ['broken', false],
      ['acme', true],
    ]);
  });
});

describe('a plugin that is replaced or removed', () => {
  test('stays for the nodes that use it, and ends with the last one', async () => {
    const { kinds } = await set.configure([approved()]);
    const node = await nodeOf(kinds[0]);
    await set.configure([]);
    expect(closed).toEqual([]);
    expect(await node.run(message({ raw: 1 }), testRun())).toMatchObject({ port: 'out' });
    await node.close?.();
    expect(closed).toEqual(['acme']);
  });

  test('leaves a project with the last node that it has there', async () => {
    const { kinds } = await set.configure([approved()]);
    const nodes = [
      await nodeOf(kinds[0], undefined, 'a'),
      await nodeOf(kinds[0], undefined, 'a'),
      await nodeOf(kinds[0], undefined, 'b'),
    ];
    await nodes[0]?.close?.();
    expect(left).toEqual([]);
    await nodes[2]?.close?.();
    await nodes[1]?.close?.();
    expect(left).toEqual(['b', 'a']);
    expect(closed).toEqual([]);
  });

  test('is not reloaded when it did not change', async () => {
    const load = approved();
    const first = await set.configure([load]);
    const second = await set.configure([structuredClone(load)]);
    expect(second.kinds[0]).toBe(first.kinds[0]);
    expect(closed).toEqual([]);
    await set.configure([approved(`${CODE}// newer`)]);
    expect(closed).toEqual(['acme']);
  });
});
