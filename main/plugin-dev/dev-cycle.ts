import type { PluginManifest } from '#common/model/plugin-manifest.ts';
import { askHost } from '../cli/host-call.ts';
import { PlainError } from '../cli/plain-error.ts';
import { type ApprovedPlugin, approvedPlugin, pluginRecord } from '#common/contract/plugin-records.ts';
import { type PluginPackage, readArchive } from '../third-party/read-package.ts';
import { buildPlugin } from './build-plugin.ts';

/**
 * Handles one change of a plugin in development: builds, adds and approves it, and restarts the pipelines that use it.
 *
 * Security: only capabilities that the author confirmed at the start are approved without a review. A build with another
 * ID, with a scope or target that was not confirmed, or outside the sandbox is not approved.
 */
export type Confirmed = Pick<PluginManifest, 'id' | 'capabilities' | 'targets'>;

export interface Built {
  archive: Uint8Array;
  bundle: PluginPackage;
}

export async function build(folder: string): Promise<Built> {
  const archive = await buildPlugin(folder);
  return { archive, bundle: await readArchive(archive) };
}

/** Throws PlainError if the plugin must not be approved without a review. */
export function refuseMore({ id, capabilities, targets, trusted }: PluginManifest, confirmed: Confirmed): void {
  if (trusted)
    throw new PlainError(
      `the plugin ${id} asks to run outside the sandbox; add and approve it with "sluice plugin add"`,
    );
  const more = [
    ...capabilities.filter((scope) => !confirmed.capabilities.includes(scope)),
    ...targets.filter((target) => !confirmed.targets.includes(target)),
  ];
  if (id === confirmed.id && more.length === 0) return;
  const what = id === confirmed.id ? more.join(', ') : `the id ${id}`;
  throw new PlainError(`the plugin now asks for ${what}, which you did not confirm; start the command again`);
}

/** Returns a sentence about the result. Throws PlainError or SluiceError. */
export async function applyBuild(dataDir: string, { archive, bundle }: Built): Promise<string> {
  const { id, version } = bundle.manifest;
  const added = pluginRecord.parse(await ask(dataDir, { command: 'plugin-add' }, archive));
  if (added.approvedAt !== null) return `${id} ${version} has not changed.`;
  const approval = { command: 'plugin-approve', id, digest: bundle.digest, confirm: null };
  const approved = approvedPlugin.parse(await ask(dataDir, approval));
  if (!approved.loaded) throw new PlainError(`${id} ${version} is approved, but not loaded: ${approved.reason}`);
  const restarted = await restartUsers(dataDir, approved);
  return `${id} ${version} is loaded${restarted === '' ? '.' : `; started again: ${restarted}.`}`;
}

async function restartUsers(dataDir: string, { restart }: ApprovedPlugin): Promise<string> {
  for (const { project, pipeline } of restart) await ask(dataDir, { command: 'pipeline-restart', project, pipeline });
  return restart.map(({ project, pipeline }) => `${pipeline} of ${project}`).join(', ');
}

async function ask(dataDir: string, request: Readonly<Record<string, unknown>>, body?: Uint8Array): Promise<unknown> {
  const answer = await askHost(dataDir, request, body === undefined ? {} : { body });
  if (answer === null) throw notRunning(dataDir);
  return answer.value;
}

export function notRunning(dataDir: string): PlainError {
  return new PlainError(
    `no Sluice is running on the data folder ${dataDir}; start one, or name the demo's folder with --data`,
  );
}
