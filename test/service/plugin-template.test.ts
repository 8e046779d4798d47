import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { scriptTypes } from '#common/capabilities/completions.ts';
import { SERVICE_ENTRY } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { TEMPLATE } from './plugin-package.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** The parts of a plugin's module, in addition to those of every script. */
const PLUGIN_TYPES = `
/** What leaves the node, by the port \`out\` unless it says another; nothing = this path ends here. */
type PluginResult = { readonly port?: string; readonly payload: unknown } | null | undefined | void;
/** One node kind: gets a message and the node's settings, which fit the schema in the manifest. */
type PluginFunction<Settings> = (message: ScriptMessage, settings: Settings) => PluginResult | Promise<PluginResult>;
/** The default export of a plugin's module: a function for each kind of the manifest, by its id. */
type SluicePlugin = Readonly<Record<string, PluginFunction<never>>>;
`;

/** The author of a plugin checks the input before using it; in the editor's completions `any` is more convenient. */
function strict(types: string): string {
  return types.replaceAll(/(?<=[:<,] ?)any(?=[;>,)\]| ])/g, 'unknown');
}

test('the types of the template are those of the capability calls (after a change of them: vitest -u)', async () => {
  const file = join(TEMPLATE, 'sluice-plugin.d.ts');
  const head = '/** Everything that a plugin finds in the sandbox. Made by Sluice from its capability calls. */\n\n';
  const text = head + strict(scriptTypes({ plugin: true })) + PLUGIN_TYPES;
  const options = await resolveConfig(file);
  await expect(await format(text, { ...options, parser: 'typescript' })).toMatchFileSnapshot(file);
});

test('the template matches its types, and its own tests pass', async () => {
  await expect(run(process.execPath, [TSC, '-p', TEMPLATE])).resolves.toBeDefined();
  const { stdout } = await run(process.execPath, ['--test', 'src/index.spec.ts'], { cwd: TEMPLATE });
  expect(stdout).toMatch(/pass 5\n[^]*fail 0/);
});

test('its tests end with one sentence on a Node that cannot run TypeScript', async () => {
  const flag = '--no-experimental-strip-types';
  const ended = run(process.execPath, [flag, 'needs-node-24.js'], { cwd: TEMPLATE });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Running the tests needs Node 24 or later; this is Node [\d.]+\. .*\n$/),
  });
  await expect(run(process.execPath, ['needs-node-24.js'], { cwd: TEMPLATE })).resolves.toMatchObject({ stderr: '' });
});

const GUIDE = readFileSync(join(TEMPLATE, '../guide.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

test.each(blocks('ts'))('the code in the guide matches the types: %j', async (code) => {
  await using folder = await tempDir();
  const tsconfig: object = JSON.parse(readFileSync(join(TEMPLATE, 'tsconfig.json'), 'utf8'));
  const files = ['code.ts', join(TEMPLATE, 'sluice-plugin.d.ts')];
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files }));
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder.path, 'code.ts'), code);
  await expect(run(process.execPath, [TSC, '-p', folder.path])).resolves.toMatchObject({ stdout: '' });
});

test('the commands in the guide are those of the command line and of the template', async () => {
  const { stdout: help } = await run(process.execPath, [SERVICE_ENTRY, '--help']);
  const { scripts } = JSON.parse(readFileSync(join(TEMPLATE, 'package.json'), 'utf8')) as { scripts: object };
  const lines = blocks('sh').flatMap((block) => block.trimEnd().split('\n'));
  const own = lines.filter((line) => line.startsWith('sluice '));
  expect(own.length).toBeGreaterThan(2);
  for (const line of own) expect(help).toContain(line.split(' ').slice(0, 3).join(' '));
  for (const line of lines.filter((one) => /^npm (run|test)/.test(one)))
    expect(Object.keys(scripts)).toContain(line.replace('npm ', '').replace('run ', ''));
});
