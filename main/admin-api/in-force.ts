import type { Permission } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import type { DraftFamily } from '../contracts.ts';
import type { Context, Services } from './call.ts';

/**
 * The permissions that a change of a library script or named query needs to take effect: those that the pipelines which
 * may use it need. Code names scripts and queries by texts that it may compute, so every pipeline of the project that
 * has the rights to use them counts.
 *
 * - `access_settings`: a pipeline was approved, runs, or is being started, with the grant that running a script or
 *   query needs. That it is stopped now makes no difference: starting it later does not approve the change.
 * - `run_pipelines`: a pipeline is started, so its callers' keys lend their scopes to the change.
 */
const GRANTS = { scripts: 'script:execute', queries: 'db:read' } as const satisfies Record<DraftFamily, Scope>;

/** In the order of the response; empty: every user who may edit can activate it. */
export function neededFor(services: Services, family: DraftFamily, project: string): Permission[] {
  const { projects, starting } = services;
  const stored = projects.pipelines(project);
  const underWay = [...starting].filter((start) => start.project === project);
  // A start that failed after its approval leaves an older revision running.
  const used = stored.flatMap(({ definition: { id }, approvedRevision, wantedRevision }) =>
    [...new Set([approvedRevision, wantedRevision])].flatMap((revision) =>
      revision === null ? [] : (projects.revision(project, id, revision) ?? []),
    ),
  );
  const granted = [...used, ...underWay].some(({ definition }) => definition.grants.includes(GRANTS[family]));
  if (granted) return ['run_pipelines', 'access_settings'];
  return isRunning(services, project) ? ['run_pipelines'] : [];
}

/** A pipeline of the project has been started or is starting. */
export function isRunning({ projects, starting }: Services, project: string): boolean {
  if ([...starting].some((start) => start.project === project)) return true;
  return projects.pipelines(project).some(({ wantedRevision }) => wantedRevision !== null);
}

/**
 * The permissions that a user lacks to run SQL that may change data: `run_pipelines` always, because it has the effect
 * of a started pipeline, and those that a named query needs to take effect.
 */
export function lackingToWrite(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  project: string,
): Permission[] {
  const needed = new Set<Permission>(['run_pipelines', ...neededFor(services, 'queries', project)]);
  return lackingOf(services, context, [...needed]);
}

/** The permissions that the user lacks now: a change may have waited, and permissions may have been removed since. */
export function lackingFor(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  family: DraftFamily,
  project: string,
): Permission[] {
  return lackingOf(services, context, neededFor(services, family, project));
}

function lackingOf(
  { people }: Services,
  { credential }: Pick<Context<unknown, unknown>, 'credential'>,
  needed: readonly Permission[],
): Permission[] {
  const held = people.session(credential ?? '')?.permissions;
  return needed.filter((permission) => !held?.has(permission));
}
