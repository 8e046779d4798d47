import { ApiError, readProblem } from './problem.ts';
import { sessionToken } from './session-token.ts';

/**
 * The window's only door out: calls to its own origin under /api/v1, with the session cookie that the browser keeps
 * and the session's token, which goes with it on every call (session-token.ts).
 */
const BASE = '/api/v1';
const CALL_MS_MAX = 30_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallOptions {
  body?: unknown;
  /** A file as it is, instead of `body`. */
  file?: { content: Blob; contentType: string };
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** The answer may take longer than most: milliseconds; null = a stream without end. */
  msMax?: number | null;
  signal?: AbortSignal | undefined;
}

/** Answers the parsed JSON body (undefined for an empty one). Throws ApiError and nothing else. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const text = await callText(method, path, options);
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(
      200,
      'internal',
      'The answer was no JSON. Something between this page and Sluice may have sent it.',
    );
  }
}

/** Answers the body as it came. Throws ApiError and nothing else. */
export async function callText(method: Method, path: string, options: CallOptions = {}): Promise<string> {
  const response = await send(method, path, options);
  if (!response.ok) throw await readProblem(response);
  try {
    return await response.text();
  } catch (cause) {
    throw withoutAnswer(cause, options);
  }
}

/** Answers the response itself, for a body that is read as it comes. Throws ApiError and nothing else. */
export async function callStream(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const response = await send(method, path, options);
  if (!response.ok) throw await readProblem(response);
  return response;
}

async function send(method: Method, path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  const contentType = options.file?.contentType ?? (options.body === undefined ? undefined : 'application/json');
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const token = sessionToken();
  if (token !== '') headers['X-CSRF-Token'] = token;
  const content = options.file?.content ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const body = content === undefined ? {} : { body: content };
  try {
    return await fetch(BASE + path + queryText(options.query), {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      signal: signalOf(options),
      ...body,
    });
  } catch (cause) {
    throw withoutAnswer(cause, options);
  }
}

function signalOf({ msMax = CALL_MS_MAX, signal }: CallOptions): AbortSignal | null {
  const signals = [...(signal ? [signal] : []), ...(msMax === null ? [] : [AbortSignal.timeout(msMax)])];
  return signals.length === 0 ? null : AbortSignal.any(signals);
}

/** No answer, half of one, or none in time; what the page itself called off is no fault. */
function withoutAnswer(cause: unknown, { signal }: CallOptions): unknown {
  return signal?.aborted ? cause : new ApiError(0, 'unreachable', 'Sluice did not answer.');
}

function queryText(query: CallOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Lists that the window shows whole stop here; nothing an appliance holds comes near it. */
const PAGES_MAX = 50;

/** Every item of a list, page by page. */
export async function everyItem<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer: Page<T> = await call('GET', path, { query: { cursor }, signal });
    items.push(...answer.items);
    if (answer.next === null) break;
    cursor = answer.next;
  }
  return items;
}
