import type { Message } from '#common/model/message.ts';
import type { RunOrigin } from '#sdk';

/** The caller of a run, as far as its message has one. */
export function originOf({ request, caller }: Pick<Message, 'request' | 'caller'>): RunOrigin {
  return {
    ...(request !== null && { requestId: request.id, ip: request.ip }),
    ...(caller !== null && { keyId: caller.keyId, keyName: caller.name }),
  };
}
