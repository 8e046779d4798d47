import { localRequest } from '#common/node/local-request.ts';

/** The demo creates its project like any user: through the admin API, with a session. */
export interface AdminClient {
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown>;
}

const ANSWER_MS_MAX = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 ** 2;

/** Sets the first Administrator up with the one-time token and logs in. `ui` is the admin API's address. */
export async function setUp(
  ui: string,
  person: { token: string; name: string; password: string },
): Promise<AdminClient> {
  await request(ui, 'POST', '/setup', {}, person);
  return logIn(ui, person);
}

export async function logIn(ui: string, { name, password }: { name: string; password: string }): Promise<AdminClient> {
  const { body, cookie } = await request(ui, 'POST', '/session', {}, { name, password });
  const csrfToken = field(body, 'csrfToken');
  const headers = { cookie, 'x-csrf-token': typeof csrfToken === 'string' ? csrfToken : '' };
  return {
    send: async (method, path, content) => (await request(ui, method, path, headers, content)).body,
  };
}

async function request(ui: string, method: string, path: string, headers: Record<string, string>, content?: unknown) {
  const { status, cookies, text } = await localRequest(`${ui}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(content !== undefined && { 'content-type': 'application/json' }) },
    ...(content !== undefined && { body: JSON.stringify(content) }),
    timeoutMs: ANSWER_MS_MAX,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  if (status < 200 || status > 299)
    throw new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 500)}`);
  const cookie = cookies.join('; ');
  return { body: text === '' ? null : (JSON.parse(text) as unknown), cookie };
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
