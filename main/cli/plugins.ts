import { resolve } from 'node:path';
import { z } from 'zod';
import { clip } from '#common/clip.ts';
import type { ApprovedPlugin, PluginRecord } from '#common/contract/plugin-records.ts';
import { askData } from './ask-data.ts';
import type { Arguments } from './arguments.ts';
import { dataCommand } from './data-command.ts';
import { DATA_FLAGS } from './options.ts';
import { PlainError } from './plain-error.ts';

/** Third-party plugins (docs/spec/sandbox.md#plugins): added and reviewed, then approved by their digest. */
export const pluginAdd = dataCommand({
  name: 'plugin add',
  summary: 'adds a plugin, a folder or a .tgz; shows what it asks for and how to approve it',
  positionals: ['PATH'],
  run: async ({ args, options, print }) => {
    const path = resolve(args.positionals[0] ?? '');
    // Here and not in the host, which may have no access to the folder of the user.
    const { packageArchiveAt } = await import('../third-party/pack-folder.ts');
    const body = await packageArchiveAt(path);
    const plugin = (await askData(options, { command: 'plugin-add' }, { body })) as PluginRecord;
    for (const line of whatItAsksFor(plugin, dataFlags(args))) print(line);
  },
});

export const pluginApprove = dataCommand({
  name: 'plugin approve',
  summary: 'approves the version with this digest; it replaces the approved version',
  flags: {
    ...DATA_FLAGS,
    trust: { value: 'ID', help: 'the plugin’s ID again: allows it to run in the gateway with full access to Node' },
  },
  positionals: ['ID', 'DIGEST'],
  run: async ({ args, options, print }) => {
    const [id = '', digest = ''] = args.positionals;
    const trust = args.flags.get('trust');
    if (trust !== undefined && trust !== id)
      throw new PlainError(
        `--trust is "${clip(trust)}"; expected the id of the plugin that is approved, "${clip(id)}"`,
      );
    const confirm = trust === undefined ? null : `trust ${trust}`;
    const request = { command: 'plugin-approve', id, digest: digest.toLowerCase(), confirm } as const;
    const { version, loaded, reason, restart } = (await askData(options, request)) as ApprovedPlugin;
    print(`The plugin ${id} ${version} is approved${loaded ? ' and loaded' : `, but not loaded: ${reason}`}.`);
    for (const line of stillOlder(restart)) print(line);
  },
});

export const pluginRemove = dataCommand({
  name: 'plugin remove',
  summary: 'removes a plugin, unless a running pipeline uses one of its kinds',
  positionals: ['ID'],
  run: async ({ args, options, print }) => {
    const [id = ''] = args.positionals;
    await askData(options, { command: 'plugin-remove', id });
    print(`The plugin ${id} was removed.`);
  },
});

const kindsSchema = z
  .array(z.object({ id: z.string(), version: z.string(), title: z.string(), plugin: z.string().nullable() }))
  .nullable();

export const pluginList = dataCommand({
  name: 'plugin list',
  summary: 'lists plugins with their state, and the node kinds of a running Sluice',
  run: async ({ args, options, print }) => {
    const answer = await askData(options, { command: 'plugin-list' });
    const { kinds, plugins } = answer as { kinds: unknown; plugins: PluginRecord[] };
    for (const line of plugins.flatMap((plugin) => inWords(plugin, dataFlags(args)))) print(line);
    if (plugins.length === 0) print('There are no plugins.');
    const running = kindsSchema.parse(kinds);
    for (const { id, version, title, plugin } of running ?? [])
      print(`${id} ${version}  ${title}  (${plugin === null ? 'built-in' : `plugin ${plugin}`})`);
    if (running === null) print('Sluice is not running; a running one lists its node kinds too.');
  },
});

function inWords(plugin: PluginRecord, flags: string): string[] {
  const { id, version, name, trusted, loaded, reason, approvedAt, approvedBy } = plugin;
  const state = loaded ? 'loaded' : `not loaded: ${reason}`;
  const approval = approvedAt === null ? 'waiting' : `approved ${approvedAt} by ${approvedBy}`;
  return [
    `plugin ${id} ${version}  ${name}${trusted ? '  TRUSTED' : ''}  ${state}  (${approval})`,
    ...(approvedAt === null ? [`  to approve it: ${approveLine(plugin, flags)}`] : []),
  ];
}

const LISTED_MAX = 20;

function stillOlder(restart: ApprovedPlugin['restart']): string[] {
  if (restart.length === 0) return [];
  const more = restart.length > LISTED_MAX ? [`  and ${restart.length - LISTED_MAX} more`] : [];
  return [
    'These pipelines run the previous version until you start them again:',
    ...restart.slice(0, LISTED_MAX).map(({ project, pipeline }) => `  ${pipeline} of project ${project}`),
    ...more,
  ];
}

function whatItAsksFor(plugin: PluginRecord, flags: string): string[] {
  const { id, version, name, publisher, kinds, capabilities, targets, trusted, files, digest } = plugin;
  return [
    `${name} (${id} ${version})${publisher === '' ? '' : ` by ${publisher}`}, ${files.length} files`,
    ...kinds.map((kind) => `  kind ${kind.id}: ${kind.summary}`),
    `  capabilities: ${capabilities.join(', ') || 'none'}`,
    `  network targets: ${targets.join(', ') || 'none'}`,
    trusted
      ? '  TRUSTED: it asks to run in the gateway, outside the sandbox, with full access to Node'
      : '  runs in the sandbox',
    `  digest: ${digest}`,
    ...(plugin.approvedAt === null
      ? ['It is not used yet. To approve it:', `  ${approveLine(plugin, flags)}`]
      : ['This version is already approved.']),
  ];
}

function approveLine({ id, digest, trusted }: PluginRecord, flags: string): string {
  return `sluice plugin approve ${id} ${digest}${trusted ? ` --trust ${id}` : ''}${flags}`;
}

/** The given flags that select the data folder, so that the printed command can be pasted. */
function dataFlags({ flags }: Arguments): string {
  const given = Object.keys(DATA_FLAGS).flatMap((name) => {
    const value = flags.get(name);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  });
  return given.join('');
}

/** Quoted for a POSIX shell; Windows uses double quotes. */
function shellWord(text: string, platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
