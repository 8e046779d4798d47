import { z } from 'zod';
import { SetupError } from './setup-error.ts';

/** The admin API with a session that was opened elsewhere. Throws SetupError with the sentence of a refused call. */
export interface AdminSession {
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

/** A project of 32 MiB on a slow disk, or the start of a large pipeline. */
const ANSWER_MS_MAX = 120_000;

const problem = z.object({
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export function adminSession(access: { ui: string; cookie: string; csrfToken: string }): AdminSession {
  const headers = { cookie: access.cookie, 'x-csrf-token': access.csrfToken };
  return {
    async send(method, path, body) {
      const response = await request(`${access.ui}/api/v1${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new SetupError(sentence(text, response.status));
      return text === '' ? null : (JSON.parse(text) as unknown);
    },
  };
}

async function request(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new SetupError(`the running Sluice did not answer: ${why}`, { cause });
  }
}

function sentence(text: string, status: number): string {
  try {
    return problem.parse(JSON.parse(text)).detail;
  } catch {
    return `the running Sluice answered with status ${status}`;
  }
}
