import { z } from 'zod';
import { localRequest } from '#common/node/local-request.ts';
import { SetupError } from './setup-error.ts';

/** The admin API with a session that was opened elsewhere. Throws SetupError with the sentence of a refused call. */
export interface AdminSession {
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

/** A project of 32 MiB on a slow disk, or the start of a large pipeline. */
const ANSWER_MS_MAX = 120_000;
const ANSWER_BYTES_MAX = 64 * 1024 ** 2;

const problem = z.object({
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export function adminSession(access: { ui: string; cookie: string; csrfToken: string }): AdminSession {
  const headers = { cookie: access.cookie, 'x-csrf-token': access.csrfToken };
  return {
    async send(method, path, body) {
      const { status, text } = await localRequest(`${access.ui}/api/v1${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs: ANSWER_MS_MAX,
        answerBytesMax: ANSWER_BYTES_MAX,
      }).catch((cause: Error) => {
        throw new SetupError(`the running Sluice did not answer: ${cause.message}`, { cause });
      });
      if (status < 200 || status > 299) throw new SetupError(sentence(text, status));
      return text === '' ? null : (JSON.parse(text) as unknown);
    },
  };
}

function sentence(text: string, status: number): string {
  try {
    return problem.parse(JSON.parse(text)).detail;
  } catch {
    return `the running Sluice answered with status ${status}`;
  }
}
