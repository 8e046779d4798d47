import type { z } from 'zod';
import { CALLS, type CallInput, type CallName, type CallValue } from '#common/capabilities/calls.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { CallerOfWrite } from '#common/control/messages.ts';
import { checked, type Services } from './call.ts';

/**
 * A capability call by a user, performed in the gateway through the same capability broker as a pipeline's. Its
 * arguments are also checked here, so that an invalid one results in a 400 that names the field. `who`: for the rows of
 * a write. Throws SluiceError, including `gateway_down`.
 */
export async function capability<N extends CallName>(
  services: Services,
  project: string,
  name: N,
  args: CallInput<N>,
  who?: Pick<AuditRow, 'user' | 'ip'>,
): Promise<CallValue<N>> {
  const schema: z.ZodType = CALLS[name].args;
  checked(schema, args);
  // The declaration with that name defines the gateway's response.
  return (await services.gateway.call('capability', {
    project,
    name,
    args,
    ...(who !== undefined && { who: callerOf(who) }),
  })) as CallValue<N>;
}

export function callerOf({ user, ip }: Pick<AuditRow, 'user' | 'ip'>): CallerOfWrite {
  return { ...(user !== undefined && { user }), ...(ip !== undefined && { ip }) };
}
