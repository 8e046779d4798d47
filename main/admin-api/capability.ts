import type { z } from 'zod';
import { CALLS, type CallInput, type CallName, type CallValue } from '#common/capabilities/calls.ts';
import { checked, type Services } from './call.ts';

/**
 * A capability call by a user, performed in the gateway through the same capability broker as a pipeline's. Its
 * arguments are also checked here, so that an invalid one results in a 400 that names the field. Throws SluiceError,
 * including `gateway_down`.
 */
export async function capability<N extends CallName>(
  services: Services,
  project: string,
  name: N,
  args: CallInput<N>,
): Promise<CallValue<N>> {
  const schema: z.ZodType = CALLS[name].args;
  checked(schema, args);
  // The declaration with that name defines the gateway's response.
  return (await services.gateway.call('capability', { project, name, args })) as CallValue<N>;
}
