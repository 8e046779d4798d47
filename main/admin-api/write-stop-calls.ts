import { phrase } from '#common/alarms/phrase.ts';
import { page } from '#common/contract/records.ts';
import { writeStopContract } from '#common/contract/write-stop.ts';
import { ruleBroken } from '#common/errors/rules.ts';
import { isOver, type WriteStop } from '#common/model/write-stop.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services } from './call.ts';
import { type HeldChange, heldId } from './held-change.ts';
import { performRestriction } from './perform-restriction.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';

/** Write stops (docs/spec/nodes.md#write-stop). A stop takes effect first, as the stop of a pipeline does. */
export const writeStopCalls = [
  defineCall(writeStopContract.list, {
    handle: (services, context) => page(services.projects.writeStops.list(projectOf(services, context).id)),
  }),
  defineCall(writeStopContract.stop, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const at = new Date().toISOString();
      const { device, reason, until } = context.body;
      const stop = { project, device, reason, until, at, by: context.session.user.name };
      if (isOver(stop, Date.now())) throw invalid([ruleBroken('until', 'time_ahead')]);
      const what =
        device === null ? phrase('writes_stopped', { project }) : phrase('device_stopped', { project, device });
      await performRestriction(services, context, actOf(stop), { kind: 'writes', stop }, what);
      changed(services, project);
      return services.projects.writeStops.list(project).find((one) => one.device === device) ?? stop;
    },
  }),
  defineCall(writeStopContract.end, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      await end(services, context, project, context.body.device);
      changed(services, project);
      return null;
    },
  }),
];

/** In the store first: a gateway that does not acknowledge is replaced by one that gets the stops from there. */
function end(
  services: Services,
  context: Context<unknown, unknown>,
  project: string,
  device: string | null,
): Promise<void> {
  const { projects, gateway, restrictions, unsaved, locks } = services;
  const held = heldId({ kind: 'writes', stop: { project, device } as WriteStop } satisfies HeldChange);
  const requested = restrictions.last;
  const refuseIfStopped = restrictions.watch(held);
  const act = { project, target: device ?? project };
  return locks.resources(project, () =>
    performAct(services, context, act, async () => {
      refuseIfStopped();
      projects.writeStops.end(project, device);
      unsaved.drop(held, requested);
      await withoutGateway(() => gateway.change({ kind: 'write-stops', stops: projects.writeStops.list() }));
    }),
  );
}

function actOf({ project, device, reason, until }: WriteStop) {
  const detail = `${until === null ? 'without an end' : `until ${until}`}: ${reason}`;
  return { act: 'tag.stop-writes', project, target: device ?? project, detail };
}

/** The alarm begins and ends with the stop, not when somebody reads the alarms. */
function changed({ alarms, hub }: Services, project: string): void {
  alarms();
  hub.publish({ kind: 'changed', what: 'tag', project });
}
