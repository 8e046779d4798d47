import { isDeepStrictEqual } from 'node:util';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { Context, Services } from './call.ts';
import { isRunning } from './in-force.ts';
import { admitAgain } from './still-admitted.ts';

/**
 * Changes of tags that affect running pipelines: adding, changing or removing a tag makes a running line read or write
 * something else, so it needs `run_pipelines` while a pipeline of the project is started. Code and callers can compute
 * the paths of tags, so every started pipeline counts. Titles are only for display.
 *
 * `access_settings` is not needed: the permission to edit tags includes writing values to all of them.
 */
export function refuseTagChanges(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  project: string,
  { before, after }: { before: readonly TagDefinition[]; after: readonly TagDefinition[] },
): void {
  admitAgain(services, context, 'edit_pipelines');
  const path = changedTag(before, after);
  if (path === null || !isRunning(services, project) || mayRun(services, context)) return;
  throw new SluiceError(
    'permission_missing',
    `This needs the permission run_pipelines, because a pipeline of this project is started and may use the tag "${path}".`,
  );
}

/** The path of the first tag that differs before and after, ignoring titles. */
function changedTag(before: readonly TagDefinition[], after: readonly TagDefinition[]): string | null {
  const old = new Map(before.map((tag) => [tag.path, tag]));
  const changed = after.find((tag) => !isSame(old.get(tag.path), tag));
  if (changed !== undefined) return changed.path;
  const stay = new Set(after.map(({ path }) => path));
  return before.find(({ path }) => !stay.has(path))?.path ?? null;
}

function isSame(before: TagDefinition | undefined, after: TagDefinition): boolean {
  return before !== undefined && isDeepStrictEqual({ ...before, title: '' }, { ...after, title: '' });
}

function mayRun({ people }: Services, { credential }: Pick<Context<unknown, unknown>, 'credential'>): boolean {
  return people.session(credential ?? '')?.permissions.has('run_pipelines') ?? false;
}
