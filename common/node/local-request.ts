import { Agent, type IncomingMessage, request } from 'node:http';
import { errorCode } from './atomic-file.ts';

/** A request to the admin API on this machine. `timeoutMs` covers the whole answer. */
export interface LocalRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Bytes; a longer answer is an error. */
  readonly answerBytesMax: number;
}

export interface LocalAnswer {
  readonly status: number;
  /** `name=value` of each cookie. */
  readonly cookies: readonly string[];
  readonly text: string;
}

/** The request failed. `wasSent`: the server may have received it, so what it asks for may still be done. */
export class LocalRequestError extends Error {
  readonly wasSent: boolean;
  readonly timedOut: boolean;
  constructor(cause: unknown, timedOut: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.timedOut = timedOut;
    this.wasSent = timedOut || !NOT_CONNECTED.has(errorCode(cause));
  }
}

const NOT_CONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']);

/** Without the proxy that NODE_USE_ENV_PROXY takes from HTTP_PROXY: it would see passwords and sessions. */
const direct = new Agent();

/** Redirects are not followed. Throws LocalRequestError. */
export async function localRequest(url: string, options: LocalRequest): Promise<LocalAnswer> {
  const { method, headers, body, timeoutMs, answerBytesMax } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      request(url, { method, headers: { ...headers, ...length }, agent: direct, signal }, resolve)
        .on('error', reject)
        .end(body);
    });
    const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
    return { status: answer.statusCode ?? 0, cookies, text: await textOf(answer, answerBytesMax) };
  } catch (error) {
    throw new LocalRequestError(error, signal.aborted);
  }
}

async function textOf(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the answer has more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
