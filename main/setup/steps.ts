import { z } from 'zod';
import type { Settings } from '#common/model/settings.ts';
import type { AdminSession } from './admin-session.ts';
import { SetupError } from './setup-error.ts';
import { writeSecretFile } from './setup-files.ts';
import type { PlannedKey, PlannedPlugin, PlannedProject } from './setup-plan.ts';

/**
 * The steps of a set-up. Each uses the admin API and can be undone. A step that throws has undone its own changes.
 */
export interface Done {
  /** A sentence about the result. */
  sentence: string;
  undo(): Promise<unknown>;
}

const approvedPlugin = z.object({ loaded: z.boolean(), reason: z.string().nullable() });
const madeKey = z.object({ key: z.string(), record: z.object({ id: z.string() }) });

/** Settings that already have the desired value are left out. */
export async function changeSettings(admin: AdminSession, wanted: Partial<Settings>): Promise<Done> {
  const names = Object.keys(wanted);
  const shown = z.record(z.string(), z.unknown()).parse(await admin.send('GET', '/settings'));
  const before = Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));
  await admin.send('PATCH', '/settings', wanted);
  return {
    sentence: `Changed the settings ${names.join(', ')}.`,
    undo: () => admin.send('PATCH', '/settings', before),
  };
}

export async function addPlugin(admin: AdminSession, plugin: PlannedPlugin): Promise<Done> {
  const { id, version, digest, archive, confirm } = plugin;
  const undo = () => admin.send('DELETE', `/plugins/${id}`);
  await admin.send('POST', '/plugins', { archive: Buffer.from(archive).toString('base64') });
  const approval = { digest, ...(confirm !== null && { confirm }) };
  await orUndo(undo, async () => {
    const { loaded, reason } = approvedPlugin.parse(await admin.send('POST', `/plugins/${id}/approve`, approval));
    if (!loaded) throw new SetupError(`The plugin ${id} ${version} cannot be loaded: ${reason}`);
  });
  return { sentence: `Added and approved the plugin ${id} ${version}.`, undo };
}

export async function importProject(admin: AdminSession, { id, file }: PlannedProject): Promise<Done> {
  await admin.send('POST', '/projects/import', { file });
  const counts = `${file.pipelines.length} pipelines`;
  return {
    sentence: `Imported the project ${id} (${counts}).`,
    undo: () => admin.send('DELETE', `/projects/${id}`),
  };
}

export async function startPipeline(admin: AdminSession, project: string, pipeline: string): Promise<Done> {
  const path = `/projects/${project}/pipelines/${pipeline}`;
  await admin.send('POST', `${path}/start`, {});
  return {
    sentence: `Started the pipeline ${pipeline} of the project ${project}.`,
    undo: () => admin.send('POST', `${path}/stop`),
  };
}

/** The value of the key is stored only in its file. `removeFile` deletes that file. */
export async function makeKey(
  admin: AdminSession,
  { project, name, scopes, file }: PlannedKey,
  removeFile: (file: string) => Promise<unknown>,
): Promise<Done> {
  const { key, record } = madeKey.parse(await admin.send('POST', `/projects/${project}/keys`, { name, scopes }));
  const revoke = () => admin.send('POST', `/projects/${project}/keys/${record.id}/revoke`);
  await orUndo(revoke, () => writeSecretFile(file, key));
  return {
    sentence: `Wrote the key "${name}" of the project ${project} to ${file}.`,
    undo: async () => {
      await removeFile(file);
      await revoke();
    },
  };
}

async function orUndo<T>(undo: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await undo().catch(() => {});
    throw error;
  }
}
