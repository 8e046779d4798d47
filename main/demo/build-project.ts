import { type AdminClient, field } from './admin-client.ts';
import type { Sample } from './sample.ts';

/** Makes the sample's project, starts its pipelines and returns the keys' values in the sample's order. */
export async function buildProject(admin: AdminClient, sample: Sample): Promise<string[]> {
  await admin.send('POST', '/projects', sample.project);
  const project = `/projects/${sample.project.id}`;
  for (const { definition, start } of sample.pipelines) {
    await admin.send('POST', `${project}/pipelines`, definition);
    await admin.send('POST', `${project}/pipelines/${definition.id}/start`, {});
    // Stopped, not merely never started: then the gateway knows its route and can explain the 404.
    if (!start) await admin.send('POST', `${project}/pipelines/${definition.id}/stop`);
  }
  const values: string[] = [];
  for (const key of sample.keys) {
    const made = field(await admin.send('POST', `${project}/keys`, key), 'key');
    if (typeof made !== 'string') throw new Error(`the key "${key.name}" was not made`);
    values.push(made);
  }
  return values;
}
