import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ID } from '#common/model/ids.ts';
import type { Logger } from '#common/node/log.ts';
import type { ProjectStore, SecretVault } from '../contracts.ts';

/**
 * Data of a project outside `projects.sqlite` is removed with the project: its folder, and its secrets in the vault.
 * The store records which folders and secrets still have to be removed, so that a crash in between leaves no data for a
 * later project with the same ID; only those are ever removed.
 */
export async function removeProjectFolder(
  dataDir: string,
  projects: Pick<ProjectStore, 'removed'>,
  project: string,
): Promise<void> {
  if (!PROJECT_ID.test(project)) throw new Error('expected the id of a project');
  await rm(join(dataDir, 'projects', project), { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  projects.removed(project);
}

export interface SweepParts {
  dataDir: string;
  projects: Pick<ProjectStore, 'removals' | 'removed' | 'droppedSecrets' | 'secretsRemoved'>;
  secrets: Pick<SecretVault, 'has' | 'remove'>;
  log: Logger;
}

/** At the start, before anything is served: the remains of a crash. */
export async function sweepLeftovers({ dataDir, projects, secrets, log }: SweepParts): Promise<void> {
  for (const project of projects.removals()) {
    try {
      await removeProjectFolder(dataDir, projects, project);
    } catch (error) {
      log.error('the folder of a deleted project could not be removed', { project, error });
    }
  }
  const dropped = projects.droppedSecrets().filter(secrets.has);
  try {
    await secrets.remove(dropped);
    projects.secretsRemoved();
  } catch (error) {
    log.error('secrets that nothing refers to stay in the vault until the next start', { error });
    return;
  }
  if (dropped.length > 0)
    log.info('secrets that nothing refers to were removed from the vault', { count: dropped.length });
}
