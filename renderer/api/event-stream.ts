import { callStream } from './client.ts';
import { heard } from './connection.ts';
import { ApiError } from './problem.ts';

/**
 * Server-sent events (WHATWG HTML 9.2) of `GET /events`, read with fetch: EventSource cannot send the token of the
 * session. Resolves at the end of the stream; throws ApiError when it is refused, breaks, falls silent or sends an event of
 * more than `EVENT_CHARS_MAX`.
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
  const silence = startSilenceLimit();
  try {
    const response = await callStream('GET /events', {
      signal: AbortSignal.any([signal, silence.signal]),
      msMax: null,
    }).catch((error: unknown) => {
      throw silence.signal.aborted ? gone() : error;
    });
    onOpen();
    await readEvents(response, onEvent, silence.heard);
  } finally {
    silence.stop();
  }
}

const gone = () => new ApiError(0, 'unreachable', 'Sluice did not answer.');

async function readEvents(
  response: Response,
  onEvent: (event: StreamEvent) => void,
  onPart: () => void,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const chunk = await reader?.read().catch(() => null);
    if (chunk === null) throw gone();
    if (chunk === undefined || chunk.done) return;
    onPart();
    const blocks = (text + chunk.value).split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > EVENT_CHARS_MAX) throw new ApiError(0, 'unreachable', 'Sluice sent an event that is too long.');
    for (const block of blocks) {
      const event = parsed(block);
      if (event !== null) onEvent(event);
    }
  }
}

/**
 * A stream without a heartbeat for this long is closed and opened again: after a network failure nothing else ends it.
 * Longer than the time after which values count as outdated, so that a host that hangs for a moment keeps its streams.
 */
export const STREAM_SILENCE_MS_MAX = 15_000;

function startSilenceLimit(): { signal: AbortSignal; heard(): void; stop(): void } {
  const limit = new AbortController();
  const start = () => setTimeout(() => limit.abort(), STREAM_SILENCE_MS_MAX);
  let timer = start();
  return {
    signal: limit.signal,
    heard() {
      heard();
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Null for a comment or a `retry`. */
function parsed(block: string): StreamEvent | null {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line));
  const valueOf = (name: string) => fields.find((field) => field?.[1] === name)?.[2];
  const [kind, data] = [valueOf('event'), valueOf('data')];
  return kind === undefined || data === undefined ? null : { kind, data };
}
