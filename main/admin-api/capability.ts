import type { z } from 'zod';
import { CALLS, type CallInput, type CallName, type CallValue } from '#common/capabilities/calls.ts';
import { checked, type Services } from './call.ts';

/**
 * A capability call for a user, performed in the gateway through the same capability broker as a pipeline's. Its
 * arguments are checked here as well, so that a wrong one is 400 and names its field. Throws SluiceError,
 * `gateway_down` included.
 */
export async function capability<N extends CallName>(
  services: Services,
  project: string,
  name: N,
  args: CallInput<N>,
): Promise<CallValue<N>> {
  const schema: z.ZodType = CALLS[name].args;
  checked(schema, args);
  // The declaration by that name says what the gateway answers.
  return (await services.gateway.call('capability', { project, name, args })) as CallValue<N>;
}
