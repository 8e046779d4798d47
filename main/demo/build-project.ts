import type { ProjectFile } from '#common/model/project-file.ts';
import type { Scope } from '#common/scopes.ts';
import { type AdminClient, field } from './admin-client.ts';

/** The parts of a demo in addition to the project file, which has neither keys nor desired states. */
export interface DemoParts {
  file: ProjectFile;
  keys: readonly { name: string; scopes: readonly Scope[]; limits?: object }[];
  /** Pipelines that are stopped again. */
  stopped?: readonly string[];
}

/** Imports the project, starts its pipelines and returns the values of the keys in their order. */
export async function buildProject(admin: AdminClient, { file, keys, stopped = [] }: DemoParts): Promise<string[]> {
  await admin.send('POST', '/projects/import', { file });
  const project = `/projects/${file.project.id}`;
  for (const { id } of file.pipelines) await admin.send('POST', `${project}/pipelines/${id}/start`, {});
  // Stopped, not merely never started: then the gateway knows its route and can explain the refusal.
  for (const id of stopped) await admin.send('POST', `${project}/pipelines/${id}/stop`);
  const values: string[] = [];
  for (const key of keys) {
    const made = field(await admin.send('POST', `${project}/keys`, key), 'key');
    if (typeof made !== 'string') throw new Error(`the key "${key.name}" was not made`);
    values.push(made);
  }
  return values;
}
