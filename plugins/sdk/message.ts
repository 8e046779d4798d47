import type { Message } from '#common/model/message.ts';

/** The same message with another payload; the one it came from is left as it was. */
export function withPayload(message: Message, payload: unknown): Message {
  const { request, caller, error } = message;
  return error === undefined ? { payload, request, caller } : { payload, request, caller, error };
}
