import { Agent, request } from 'node:http';
import type { Outcome } from './evidence.ts';

/** Sends the events of one stream, one at a time, over a separate connection. */
export interface EventCaller {
  post(port: number, path: string, name: string, body: Buffer): Promise<Outcome>;
  close(): void;
}

/** Longer than the timeout of the route: the gateway responds first, or has ended. */
const ANSWER_MS_MAX = 40_000;
/** Responses of the gateway that mean that nothing was stored. */
const NOT_STORED: ReadonlySet<string> = new Set(['outbox_full', 'outbox_unavailable', 'call_too_large']);

export function createEventCaller(apiKey: string): EventCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  return {
    post: (port, path, name, body) =>
      new Promise((resolve) => {
        const failed = (error: NodeJS.ErrnoException) =>
          resolve({ kind: 'in doubt', cause: error.code ?? error.message });
        const options = { agent, port, path, host: '127.0.0.1', method: 'POST', timeout: ANSWER_MS_MAX };
        const call = request({ ...options, headers: { ...headers, 'Content-Length': body.length } }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', failed);
          response.on('end', () =>
            resolve(outcomeOf(response.statusCode ?? 0, Buffer.concat(chunks).toString(), name)),
          );
        });
        call.on('timeout', () => call.destroy(new Error('no answer')));
        call.on('error', failed);
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** `name`: occurs in the target's response to this event, and in no other. */
export function outcomeOf(status: number, text: string, name: string): Outcome {
  const { took, eventId, code } = readAnswer(text);
  if (status === 202 && typeof eventId === 'string') return { kind: 'accepted', port: 'queued' };
  if (code === 'dead_letter') return { kind: 'accepted', port: 'dead' };
  if (typeof code === 'string' && NOT_STORED.has(code)) return { kind: 'refused', code };
  if (took === undefined)
    return { kind: 'in doubt', cause: `${status} ${typeof code === 'string' ? code : text.slice(0, 80)}` };
  return took === name ? { kind: 'accepted', port: 'response' } : { kind: 'mixed up', answer: JSON.stringify(took) };
}

function readAnswer(text: string): { took?: unknown; eventId?: unknown; code?: unknown } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
