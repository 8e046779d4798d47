import type { CallAnswer, CallBody, CallInput, CallName, ListItem, ListName } from '#common/contract/client.ts';
import { heard } from './connection.ts';
import { ApiError, readProblem } from './problem.ts';
import { sessionToken } from './session-token.ts';

/**
 * All calls of the window: to its own origin under /api/v1, with the session cookie that the browser keeps and the
 * session's token, which each call carries (session-token.ts). Names, inputs and responses follow the contract
 * (common/contract); the compiler checks them.
 */
const BASE = '/api/v1';
const CALL_MS_MAX = 30_000;

interface CallOptions {
  headers?: Record<string, string>;
  /** For calls that may take longer than most: milliseconds; null: an endless stream. */
  msMax?: number | null;
  signal?: AbortSignal | undefined;
}

type Input<Name extends CallName> = CallInput<Name> & CallOptions;

/** Can be omitted if nothing in it is required. */
type InputOf<Name extends CallName> = object extends CallInput<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** The input of any call. */
interface AnyInput extends CallOptions {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  file?: { content: Blob; contentType: string };
}

/** Returns the parsed JSON body (undefined for an empty one). Throws only ApiError. */
export async function call<Name extends CallName>(name: Name, ...[input]: InputOf<Name>): Promise<CallAnswer<Name>> {
  // The server responds according to the same contract.
  return (await json(name, input as AnyInput | undefined)) as CallAnswer<Name>;
}

/** The draft of a form as the body of a call: the server checks the user's input, and responds with its errors. */
export function draftOf<Name extends CallName>(_name: Name, typed: unknown): CallBody<Name> {
  return typed as CallBody<Name>;
}

/** Every item of a list, page by page. Throws only ApiError. */
export async function everyItem<Name extends ListName>(
  name: Name,
  ...[given]: InputOf<Name>
): Promise<ListItem<Name>[]> {
  const input = given as AnyInput | undefined;
  const items: ListItem<Name>[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const asked: AnyInput = { ...input, query: { ...input?.query, cursor } };
    const answer = (await json(name, asked)) as Page<ListItem<Name>>;
    items.push(...answer.items);
    if (answer.next === null) break;
    cursor = answer.next;
  }
  return items;
}

/** The limit of lists that the UI shows completely; no appliance has nearly as many items. */
const PAGES_MAX = 50;

export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Returns the body unchanged. Throws only ApiError. */
export function callText<Name extends CallName>(name: Name, ...[input]: InputOf<Name>): Promise<string> {
  return text(name, input as AnyInput | undefined);
}

/** Returns the response itself, for a body that is read in pieces. Throws only ApiError. */
export function callStream<Name extends CallName>(name: Name, ...[input]: InputOf<Name>): Promise<Response> {
  return stream(name, input as AnyInput | undefined);
}

/** The path of a `GET` with its parameters and query, for `getStream`. */
export function pathOf<Name extends CallName & `GET ${string}`>(name: Name, ...[input]: InputOf<Name>): string {
  return target(name, input as AnyInput | undefined).path;
}

/** Returns the response for a path of `pathOf`. Throws only ApiError. */
export async function getStream(path: string, options: CallOptions): Promise<Response> {
  return accepted(await send('GET', path, options));
}

async function json(name: CallName, input: AnyInput = {}): Promise<unknown> {
  const body = await text(name, input);
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiError(
      200,
      'internal',
      'The answer was no JSON. Something between this page and Sluice may have sent it.',
    );
  }
}

async function text(name: CallName, input: AnyInput = {}): Promise<string> {
  const response = await stream(name, input);
  try {
    return await response.text();
  } catch (cause) {
    throw withoutAnswer(cause, input);
  }
}

async function stream(name: CallName, input: AnyInput = {}): Promise<Response> {
  const { method, path } = target(name, input);
  return accepted(await send(method, path, input));
}

async function accepted(response: Response): Promise<Response> {
  if (!response.ok) throw await readProblem(response);
  return response;
}

function target(name: CallName, { path = {}, query = {} }: AnyInput = {}): { method: string; path: string } {
  const [method = '', pattern = ''] = name.split(' ');
  const filled = pattern.replaceAll(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(path[parameter] ?? ''));
  return { method, path: filled + queryText(query) };
}

async function send(method: string, path: string, input: AnyInput): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...input.headers };
  const contentType = input.file?.contentType ?? (input.body === undefined ? undefined : 'application/json');
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const token = sessionToken();
  if (token !== '') headers['X-CSRF-Token'] = token;
  const content = input.file?.content ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  const body = content === undefined ? {} : { body: content };
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      signal: signalOf(input),
      ...body,
    });
    if (!isFromProxy(response)) heard();
    return response;
  } catch (cause) {
    throw withoutAnswer(cause, input);
  }
}

/** A proxy between this page and Sluice responded in its place. */
function isFromProxy({ status, headers }: Response): boolean {
  return (
    [502, 503, 504].includes(status) && headers.get('content-type')?.startsWith('application/problem+json') !== true
  );
}

function signalOf({ msMax = CALL_MS_MAX, signal }: CallOptions): AbortSignal | null {
  const signals = [...(signal ? [signal] : []), ...(msMax === null ? [] : [AbortSignal.timeout(msMax)])];
  return signals.length === 0 ? null : AbortSignal.any(signals);
}

/** The response is missing, incomplete or late. Requests that the page itself cancelled are not errors. */
function withoutAnswer(cause: unknown, { signal }: CallOptions): unknown {
  return signal?.aborted ? cause : new ApiError(0, 'unreachable', 'Sluice did not answer.');
}

function queryText(query: NonNullable<AnyInput['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
