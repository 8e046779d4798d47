import type { ProjectResources } from '#common/model/resources.ts';
import type { ClearResources, ProjectStore, SecretVault } from '../contracts.ts';
import { clearSecrets, withSecrets } from './connection-secrets.ts';
import { clearDraft, clearStart } from './pipeline-secrets.ts';

/** Combines store and vault, only for the gateway: the result is never part of a response, a log or a file. */
export function createClearResources(
  projects: Pick<ProjectStore, 'projects' | 'resources' | 'wanted'>,
  secrets: SecretVault,
): ClearResources {
  const { resources } = projects;
  const of = (project: string): ProjectResources => ({
    project,
    connections: resources
      .list('connections', project)
      .map((stored) => withSecrets(stored.definition, clearSecrets(stored, secrets))),
    queries: resources.list('queries', project),
    tags: resources.list('tags', project),
    scripts: resources.list('scripts', project),
  });
  return {
    of,
    all: () => projects.projects().map(({ id }) => of(id)),
    pipeline: (stored) => clearStart(stored, secrets),
    draft: (definition, before) => clearDraft(definition, before, secrets),
    wanted: () => projects.wanted().map((stored) => clearStart(stored, secrets)),
  };
}
