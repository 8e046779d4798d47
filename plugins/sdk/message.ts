import type { Message } from '#common/model/message.ts';

/** The same message with another payload; the original is unchanged. */
export function withPayload(message: Message, payload: unknown): Message {
  const { request, caller, error } = message;
  return error === undefined ? { payload, request, caller } : { payload, request, caller, error };
}
