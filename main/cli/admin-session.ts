import type { CallAnswer, CallInput, CallName } from '#common/contract/client.ts';
import type { FieldError } from '#common/errors/catalogue.ts';
import { PROJECT_FILE_BYTES_MAX } from '#common/model/project-file.ts';
import { LocalRequestError, localRequest } from '#common/node/local-request.ts';
import { PlainError, UnknownOutcome, UsageError } from './plain-error.ts';

/**
 * Calls of the admin API with the session of a user (docs/spec/users.md#sessions) or with a service token. Only to this
 * machine: the API is on loopback, and a secret is never sent anywhere else, nor through a proxy.
 */
export interface AdminSession {
  /** `errors` of a refusal are thrown as ApiRefusal. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallAnswer<Name>>;
  /** The body of a call that answers a file, parsed. */
  file(name: CallName, input: { path: Record<string, string> }): Promise<unknown>;
  end(): Promise<void>;
}

/** A refused call: the sentence of the response, and the fields that it names. */
export class ApiRefusal extends PlainError {
  readonly errors: readonly FieldError[];
  constructor(detail: string, errors: readonly FieldError[]) {
    super(detail);
    this.errors = errors;
  }
}

export const CALL_MS_MAX = 120_000;
/** A plan has a sentence for each change. */
const ANSWER_BYTES_MAX = 2 * PROJECT_FILE_BYTES_MAX;
/** Not `[::1]`: Sluice does not listen on it, so any local account could, and would be sent the password. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost']);

/** Throws UsageError unless it is an address of this machine. */
export function adminAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && url.href === `${url.origin}/`;
  if (isOrigin && url.protocol === 'http:' && LOOPBACK.has(url.hostname)) {
    url.hostname = '127.0.0.1';
    return url.origin;
  }
  throw new UsageError('--address is not an address of this machine; expected one such as http://127.0.0.1:8091');
}

export async function logIn(
  address: string,
  name: string,
  password: string,
  timeoutMs = CALL_MS_MAX,
): Promise<AdminSession> {
  const opened = await send(address, 'POST /session', { body: { name, password } }, {}, timeoutMs);
  const { csrfToken } = opened.answer as CallAnswer<'POST /session'>;
  const headers = { Cookie: opened.cookies.join('; '), 'X-CSRF-Token': csrfToken };
  return {
    ...callsWith(address, headers, timeoutMs),
    end: async () => void (await send(address, 'DELETE /session', {}, headers, timeoutMs)),
  };
}

/** Each call presents the token; there is nothing to end. */
export function withToken(address: string, token: string, timeoutMs = CALL_MS_MAX): AdminSession {
  return { ...callsWith(address, { Authorization: `Bearer ${token}` }, timeoutMs), end: () => Promise.resolve() };
}

function callsWith(
  address: string,
  headers: Record<string, string>,
  timeoutMs: number,
): Pick<AdminSession, 'call' | 'file'> {
  return {
    // The server responds according to the same contract.
    call: async <Name extends CallName>(called: Name, input: CallInput<Name>) =>
      (await send(address, called, input as Sent, headers, timeoutMs)).answer as CallAnswer<Name>,
    file: async (called, input) => (await send(address, called, input, headers, timeoutMs)).answer,
  };
}

interface Sent {
  path?: Readonly<Record<string, string | number>>;
  body?: unknown;
}

async function send(
  address: string,
  name: CallName,
  { path = {}, body }: Sent,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<{ cookies: readonly string[]; answer: unknown }> {
  const [method = '', route = ''] = name.split(' ');
  const target = route.replaceAll(/:(\w+)/g, (_whole, part: string) => encodeURIComponent(path[part] ?? ''));
  const sent = localRequest(`${address}/api/v1${target}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    timeoutMs,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const { status, cookies, text } = await sent.catch((error: unknown) => {
    throw noAnswer(name, address, timeoutMs, error);
  });
  const answer = parsed(text, address);
  if (status >= 200 && status <= 299) return { cookies, answer };
  const { detail = `the answer is ${status}`, errors = [] } = answer as { detail?: string; errors?: FieldError[] };
  throw new ApiRefusal(detail, errors);
}

/** A call that changes something may still do so after its answer was given up. */
function noAnswer(name: CallName, address: string, timeoutMs: number, cause: unknown): PlainError {
  if (!(cause instanceof LocalRequestError) || !cause.wasSent)
    return new PlainError(`Sluice does not answer at ${address}; expected a running one there`, { cause });
  const what = cause.timedOut
    ? `no answer within ${timeoutMs / 1000} s`
    : `the answer did not arrive: ${cause.message}`;
  return name === 'POST /projects/:project/apply'
    ? new UnknownOutcome(`${what}; the change may still be applied; run "sluice plan"`, { cause })
    : new PlainError(`${what}; expected one of Sluice at ${address}`, { cause });
}

function parsed(text: string, address: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new PlainError(`the answer of ${address} is no JSON; expected the address of the admin UI of Sluice`);
  }
}
