import { clip } from '#common/clip.ts';
import type { PlannedChange } from '#common/contract/project-apply.ts';
import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import { ruleBroken } from '#common/errors/rules.ts';
import type { ProjectFile, SecretPlaceInFile } from '#common/model/project-file.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { refsOf } from '../projects/connection-secrets.ts';
import { performAct } from './acts.ts';
import { type Acting, invalid, type Services } from './call.ts';
import { expectDiskRoom, storedBytes } from './expect-disk-room.ts';
import { forget } from './forget-secrets.ts';
import { clearWay } from './project-calls.ts';
import { refuseFaults } from './project-import.ts';
import { planOf, type ProjectPlan } from './project-plan.ts';
import { expectRunnable } from './script-calls.ts';
import { admitAgain } from './still-admitted.ts';
import { withoutGateway } from './without-gateway.ts';

/**
 * Plans and applies project files. An apply is one transaction of the project store, so that a crash at any moment
 * leaves the old or the new project. The gateway has the new resources before they are stored: what it refuses is never
 * stored, and a gateway whose host ends in between ends too.
 */
export async function planProject(services: Services, context: Acting, sent: ProjectFile): Promise<ProjectPlan> {
  refuseFaults(sent);
  const plan = planOf(services, context, sent);
  await checkScripts(services, plan, sent);
  return plan;
}

export interface Applied {
  changes: PlannedChange[];
  toFillIn: SecretPlaceInFile[];
}

/** Throws `conflict` if `digest` is not that of the plan now, or if an apply is refused. */
export async function applyProject(
  services: Services,
  context: Acting,
  sent: ProjectFile,
  digest: string,
): Promise<Applied> {
  const bytes = storedBytes(sent);
  expectDiskRoom(services, bytes);
  const { id } = sent.project;
  // Before the lock, which the checks of many scripts would hold for long: the digest also covers the checked scripts.
  expectPlan(await planProject(services, context, sent), digest);
  const applied = await services.locks.project(id, async () => {
    const { changes } = expectPlan(planOf(services, context, sent), digest);
    const row = { project: id, target: id, detail: detailOf(changes) };
    return performAct(services, context, row, async () => {
      admitAgain(services, context, 'edit_pipelines');
      // Again: a pipeline may have been stopped, or a permission removed, while the journal was written.
      const plan = expectPlan(planOf(services, withRightsOfNow(services, context), sent), digest);
      if (changes.length > 0) await put(services, plan, id);
      return { changes, toFillIn: plan.toFillIn };
    });
  });
  services.uploads.note(id, bytes);
  publish(services, id, applied.changes);
  return applied;
}

function expectPlan(plan: ProjectPlan, digest: string): ProjectPlan {
  if (plan.digest !== digest)
    throw new SluiceError('conflict', 'The project, the file or your rights have changed since the plan; plan again.');
  const [first] = plan.refused;
  if (first === undefined) return plan;
  const code = plan.refused.some((one) => one.code === 'permission_missing') ? 'permission_missing' : first.code;
  throw new SluiceError(
    code,
    plan.refused
      .slice(0, 10)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** Of all checks of a plan together; each has up to 10 s. Shorter than the time that `sluice` waits for an answer. */
export const CHECKS_MS_MAX = 60_000;

/** A script that cannot run is refused as in a save. Throws `invalid` after CHECKS_MS_MAX. */
async function checkScripts(services: Services, { changes }: ProjectPlan, file: ProjectFile): Promise<void> {
  const wanted = new Set(changes.filter(({ what }) => what === 'script').map(({ id }) => id));
  const scripts = [...file.scripts.entries()].filter(([, { id }]) => wanted.has(id));
  const untilMs = performance.now() + CHECKS_MS_MAX;
  for (const [checked, [index, script]] of scripts.entries()) {
    const at = `file.scripts.${index}.`;
    if (performance.now() >= untilMs) throw invalid([tooLong(`${at}code`, checked, scripts.length)]);
    await expectRunnable(services, file.project.id, script, at);
  }
}

function tooLong(path: string, checked: number, scripts: number): FieldError {
  const params = { seconds: String(CHECKS_MS_MAX / 1000), checked: String(checked), scripts: String(scripts) };
  return ruleBroken(path, 'checks_too_long', params);
}

async function put(services: Services, plan: ProjectPlan, id: string): Promise<void> {
  const { projects, gateway, resources, log } = services;
  if (plan.isNew) await clearWay(services, id);
  const publishTo = (wanted: ProjectResources | null): Promise<void> =>
    withoutGateway(() => gateway.change({ kind: 'resources', project: id, resources: wanted }));
  const before = plan.isNew ? null : resources.of(id);
  const refs = plan.isNew ? [] : secretRefs(services, id);
  try {
    if (plan.hasResources) await publishTo(afterwards(services, plan, id));
    projects.atOnce(() => {
      plan.writeResources();
      plan.writePipelines();
    });
  } catch (error) {
    if (plan.hasResources)
      await publishTo(before).catch((again: unknown) =>
        log.error('the former resources could not be restored in the gateway', { project: id, error: again }),
      );
    throw error;
  }
  const kept = new Set(secretRefs(services, id));
  await forget(
    services,
    refs.filter((ref) => !kept.has(ref)),
  );
}

/** The resources that the plan leads to: written and rolled back, so that the store's own limits apply. */
function afterwards({ projects, resources }: Services, plan: ProjectPlan, id: string): ProjectResources {
  const found = new Rollback();
  try {
    projects.atOnce(() => {
      plan.writeResources();
      found.resources = resources.of(id);
      throw found;
    });
  } catch (error) {
    if (error !== found) throw error;
  }
  if (found.resources === null) throw new Error('the planned resources were not read');
  return found.resources;
}

class Rollback extends Error {
  resources: ProjectResources | null = null;
}

function secretRefs({ projects }: Services, id: string): string[] {
  return [...projects.resources.list('connections', id).flatMap(refsOf), ...projects.secretRefs(id)];
}

/** The permissions that the user has when the change is made, not those at the start of the request. */
function withRightsOfNow({ people }: Services, context: Acting): Acting {
  const session = people.session(context.credential ?? '');
  if (session === null) throw new SluiceError('no_session', 'The session that began it has ended.');
  return { ...context, session };
}

/** The counts, then each change: the journal has to say what became of a connection or a script. */
function detailOf(changes: readonly PlannedChange[]): string {
  if (changes.length === 0) return 'no changes';
  return clip(`${countsOf(changes)}: ${changes.map(({ text }) => text).join(' ')}`, DETAIL_CHARS_MAX);
}
const DETAIL_CHARS_MAX = 8_000;

/** Such as `2 pipeline created, 1 query changed`. */
function countsOf(changes: readonly PlannedChange[]): string {
  const counts = new Map<string, number>();
  for (const { what, action } of changes) {
    const words = `${what} ${action}d`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => `${count} ${words}`).join(', ');
}

function publish({ hub }: Services, project: string, changes: readonly PlannedChange[]): void {
  for (const { what, id } of changes)
    if (what === 'pipeline') hub.publish({ kind: 'changed', what, project, pipeline: id });
  const others = new Set(changes.map(({ what }) => what).filter((what) => what !== 'pipeline'));
  for (const what of others) hub.publish({ kind: 'changed', what, project });
}
