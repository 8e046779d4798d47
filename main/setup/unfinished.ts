import { z } from 'zod';
import type { AdminSession } from './admin-session.ts';
import type { SetupPlan } from './setup-plan.ts';

const ids = z.object({ items: z.array(z.object({ id: z.string() })) });
const keys = z.object({ items: z.array(z.object({ id: z.string(), revokedAt: z.string().nullable() })) });

/**
 * Removes the remains of a killed set-up. Sluice has no Administrator yet, so nobody else can have created a project;
 * of plugins, which `sluice plugin add` can add too, only those that this set-up adds again.
 */
export async function removeUnfinished(
  admin: AdminSession,
  { plugins }: Pick<SetupPlan, 'plugins'>,
  tell: (sentence: string) => void,
): Promise<void> {
  const left = (name: string) => tell(`Removed ${name}, which an unfinished set-up had left behind.`);
  for (const { id } of ids.parse(await admin.send('GET', '/projects')).items) {
    await removeProject(admin, `/projects/${id}`);
    left(`the project ${id}`);
  }
  const added = new Set(ids.parse(await admin.send('GET', '/plugins')).items.map(({ id }) => id));
  for (const { id } of plugins) {
    if (!added.has(id)) continue;
    await admin.send('DELETE', `/plugins/${id}`);
    left(`the plugin ${id}`);
  }
}

/** A project with running pipelines or valid keys cannot be deleted. */
async function removeProject(admin: AdminSession, path: string): Promise<void> {
  for (const { id } of ids.parse(await admin.send('GET', `${path}/pipelines`)).items)
    await admin.send('POST', `${path}/pipelines/${id}/stop`);
  for (const { id, revokedAt } of keys.parse(await admin.send('GET', `${path}/keys`)).items)
    if (revokedAt === null) await admin.send('POST', `${path}/keys/${id}/revoke`);
  await admin.send('DELETE', path);
}
