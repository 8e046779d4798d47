import { callStream } from './client.ts';
import { ApiError } from './problem.ts';

/**
 * Server-sent events (WHATWG HTML 9.2) of `GET /events`, read with fetch: EventSource cannot send the token of the
 * session. Resolves at the end of the stream; throws ApiError when it is refused, breaks or sends an event of more than
 * `EVENT_CHARS_MAX`.
 */
export const EVENT_CHARS_MAX = 1024 * 1024;

export interface StreamEvent {
  kind: string;
  data: string;
}

export async function followStream(
  signal: AbortSignal,
  { onOpen, onEvent }: { onOpen: () => void; onEvent: (event: StreamEvent) => void },
): Promise<void> {
  const response = await callStream('GET /events', { signal, msMax: null });
  onOpen();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const chunk = await reader?.read().catch(() => null);
    if (chunk === null) throw new ApiError(0, 'unreachable', 'Sluice did not answer.');
    if (chunk === undefined || chunk.done) return;
    const blocks = (text + chunk.value).split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > EVENT_CHARS_MAX) throw new ApiError(0, 'unreachable', 'Sluice sent an event that is too long.');
    for (const block of blocks) {
      const event = parsed(block);
      if (event !== null) onEvent(event);
    }
  }
}

/** Null for a comment or a `retry`. */
function parsed(block: string): StreamEvent | null {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line));
  const valueOf = (name: string) => fields.find((field) => field?.[1] === name)?.[2];
  const [kind, data] = [valueOf('event'), valueOf('data')];
  return kind === undefined || data === undefined ? null : { kind, data };
}
