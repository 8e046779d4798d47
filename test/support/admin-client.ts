/** A small client of the admin API: stores the session's cookie and CSRF token. */
export interface AdminReply<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface AdminClient {
  /** Any call; never throws on a status. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<AdminReply>;
  /** Like `request`, but throws on any status except 2xx and returns the body. */
  ok<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  /** Creates a pipeline and starts it. */
  run(project: string, pipeline: { readonly id: string; readonly [field: string]: unknown }): Promise<void>;
  /** The response of a call that answers a file. Throws on any status but 2xx. */
  stream(method: string, path: string, body?: unknown): Promise<Response>;
  logIn(name: string, password: string): Promise<void>;
  /** Another session, not logged in. */
  another(): AdminClient;
}

/** `ui` is the origin, such as http://127.0.0.1:8091; paths are relative to /api/v1. */
export function createAdminClient(ui: string): AdminClient {
  let cookie = '';
  let csrfToken = '';

  function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${ui}/api/v1${path}`, {
      method,
      headers: {
        ...(cookie !== '' && { Cookie: cookie }),
        ...(csrfToken !== '' && { 'X-CSRF-Token': csrfToken }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
  }

  async function request(...input: Parameters<typeof send>): Promise<AdminReply> {
    const response = await send(...input);
    for (const line of response.headers.getSetCookie()) cookie = line.split(';')[0] ?? '';
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: readBody(text) };
  }

  async function ok<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const reply = await request(method, path, body, headers);
    if (reply.status >= 200 && reply.status < 300) return reply.body as T;
    throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 2000)}`);
  }

  return {
    request,
    ok,
    async run(project, pipeline) {
      await ok('POST', `/projects/${project}/pipelines`, pipeline);
      await ok('POST', `/projects/${project}/pipelines/${pipeline.id}/start`, {});
    },
    async stream(method, path, body) {
      const response = await send(method, path, body);
      if (response.ok) return response;
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    },
    async logIn(name, password) {
      const session = await ok<{ csrfToken: string }>('POST', '/session', { name, password });
      csrfToken = session.csrfToken;
    },
    another: () => createAdminClient(ui),
  };
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
