import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { scriptTypes } from '#common/capabilities/completions.ts';
import { TEMPLATE } from './plugin-package.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** What a plugin's module is made of, beside what every script has. */
const PLUGIN_TYPES = `
/** What leaves the node, by the port \`out\` unless it says another; nothing = this path ends here. */
type PluginResult = { readonly port?: string; readonly payload: unknown } | null | undefined | void;
/** One node kind: gets a message and the node's settings, which fit the schema in the manifest. */
type PluginFunction<Settings> = (message: ScriptMessage, settings: Settings) => PluginResult | Promise<PluginResult>;
/** The default export of a plugin's module: a function for each kind of the manifest, by its id. */
type SluicePlugin = Readonly<Record<string, PluginFunction<never>>>;
`;

/** A plugin's author looks at what comes in before using it; in the editor's completions `any` is kinder. */
function strict(types: string): string {
  return types.replaceAll(/(?<=[:<,] ?)any(?=[;>,)\]| ])/g, 'unknown');
}

test('the template’s types are those of the capability calls (after a change of them: vitest -u)', async () => {
  const file = join(TEMPLATE, 'sluice-plugin.d.ts');
  const head = '/** Everything that a plugin finds in the sandbox. Made by Sluice from its capability calls. */\n\n';
  const text = head + strict(scriptTypes({ plugin: true })) + PLUGIN_TYPES;
  const options = await resolveConfig(file);
  await expect(await format(text, { ...options, parser: 'typescript' })).toMatchFileSnapshot(file);
});

test('the template fits its types, and its own tests pass', async () => {
  await expect(run(process.execPath, [TSC, '-p', TEMPLATE])).resolves.toBeDefined();
  const { stdout } = await run(process.execPath, ['--test', 'src/index.spec.ts'], { cwd: TEMPLATE });
  expect(stdout).toMatch(/pass 5\n[^]*fail 0/);
});
