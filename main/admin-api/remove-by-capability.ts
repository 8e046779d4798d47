import type { CallInput } from '#common/capabilities/calls.ts';
import { performAct } from './acts.ts';
import { type Context, type Services, unknown } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';

interface Removal<Call extends 'files.remove' | 'vars.remove'> {
  readonly what: 'file' | 'variable';
  readonly call: Call;
  readonly args: CallInput<Call>;
  /** Its name in the journal. */
  readonly target: string;
}

/** Removes data that the gateway stores for a project. Throws SluiceError, `unknown` if it does not exist. */
export async function removeByCapability<Call extends 'files.remove' | 'vars.remove'>(
  services: Services,
  context: Context<unknown, unknown>,
  { what, call, args, target }: Removal<Call>,
): Promise<void> {
  const { id: project } = projectOf(services, context);
  await performAct(services, context, { project, target }, async () => {
    const removed = await services.locks.shared(project, () => capability(services, project, call, args, context.who));
    if (!removed) throw unknown(what);
  });
  services.hub.publish({ kind: 'changed', what, project });
}
