import type { CallInput, CallName, CallValue } from '#common/capabilities/calls.ts';
import { page } from '#common/contract/records.ts';
import type { Context, Services } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';

/** The list returned by a capability call of the project, as one page. */
export async function capabilityPage<N extends ListCall>(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
  name: N,
  args: CallInput<N>,
): Promise<ReturnType<typeof page<ItemOf<N>>>> {
  const { id } = projectOf(services, context);
  return page((await capability(services, id, name, args)) as ItemOf<N>[]);
}

type ListCall = { [N in CallName]: CallValue<N> extends readonly unknown[] ? N : never }[CallName];
type ItemOf<N extends ListCall> = CallValue<N> extends readonly (infer Item)[] ? Item : never;
