import { type AdminClient, field } from './admin-client.ts';
import type { Sample } from './sample.ts';

/** Makes the sample's project, starts its pipelines and returns the keys' values in the sample's order. */
export async function buildProject(admin: AdminClient, sample: Sample): Promise<string[]> {
  await admin.send('POST', '/projects', sample.project);
  const project = `/projects/${sample.project.id}`;
  await addResources(admin, project, sample);
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

/** Before the pipelines that use them. */
async function addResources(admin: AdminClient, project: string, { queries, tags, scripts }: Sample): Promise<void> {
  if (tags.length > 0) await admin.send('PUT', `${project}/tags`, { items: tags });
  for (const query of queries) await admin.send('POST', `${project}/queries`, query);
  for (const script of scripts) await admin.send('POST', `${project}/scripts`, script);
}
