/**
 * `http.request`, for third-party kinds alone (behaviour 11): to targets that the manifest names and an administrator
 * approved, by the address rules of behaviour 6 as every other way out.
 *
 * Limits: the answer's bytes, its headers, the call's time; no redirects, no proxy, no connection kept.
 * Security: the target is compared as `host:port` of the parsed URL; the address dialled is the one that was checked.
 */
import http from 'node:http';
import type { CallArgs, CallValue } from '#common/capabilities/calls.ts';
import { NodeError, type PluginReach } from '#sdk';
import { readBody, type WrittenBody, writeBody } from '#net/http-body.ts';
import type { Target, TargetGuard } from '#net/target-guard.ts';
import type { Capability } from '../contract.ts';

export const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const USUAL_PORT: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** They frame the request or name its target, which is not the plugin's to say. */
const REFUSED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
]);

type Args = CallArgs<'http.request'>;
type Answer = CallValue<'http.request'>;

export function createHttp(guard: TargetGuard): Capability<'http.request'> {
  return {
    calls: {
      async 'http.request'(args, { plugin }, signal) {
        const url = readUrl(args.url);
        const port = url.port === '' ? (USUAL_PORT[url.protocol] ?? 0) : Number(url.port);
        refuseUnlisted(url.hostname, port, plugin);
        const target = await guard.resolve(url.hostname, port);
        return request(url, target, args, signal);
      },
    },
    close: () => Promise.resolve(),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !(url.protocol in USUAL_PORT))
    throw new NodeError('call_invalid', 'http.request: url: expected a URL that begins with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new NodeError('call_invalid', 'http.request: url: expected a URL without user and password');
  return url;
}

function refuseUnlisted(host: string, port: number, plugin: PluginReach | undefined): void {
  const wanted = `${host}:${port}`.toLowerCase();
  if (plugin?.targets.some((target) => target.toLowerCase() === wanted) === true) return;
  throw new NodeError('target_refused', `${wanted} is not among the targets that were approved for this plugin`);
}

function request(url: URL, target: Target, args: Args, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = encodeBody(args.body);
  const secure = url.protocol === 'https:';
  const limit = AbortSignal.any([signal, AbortSignal.timeout(args.timeout * 1000)]);
  // Loaded when it is used: the public authorities, which come with it, are 2 MB.
  const sent = (secure ? process.getBuiltinModule('node:https') : http).request(
    {
      host: target.address,
      family: target.family,
      port: target.port,
      ...(secure && { servername: target.host }),
      method: args.method,
      path: url.pathname + url.search,
      headers: headersOf(url, args, body),
      agent: false,
      signal: limit,
    },
    (response) => collect(response).then(resolve, reject),
  );
  sent.on('error', (cause) =>
    reject(new NodeError('http_failed', `${url.host} did not answer: ${reason(cause, limit)}`, { cause })),
  );
  sent.end(body?.bytes);
  return promise;
}

function encodeBody(value: unknown): WrittenBody | null {
  const body = writeBody(value);
  if (body !== null && body.bytes.byteLength > REQUEST_BYTES_MAX)
    throw new NodeError('call_invalid', `http.request: body: expected at most ${REQUEST_BYTES_MAX} bytes`);
  return body;
}

function headersOf(url: URL, args: Args, body: WrittenBody | null): Record<string, string> {
  const own = Object.entries(args.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const refused = own.find(([name]) => REFUSED_HEADERS.has(name));
  if (refused !== undefined)
    throw new NodeError('call_invalid', `http.request: headers: "${refused[0]}" is written by the gateway`);
  return {
    ...(body !== null && { 'content-type': body.contentType }),
    ...Object.fromEntries(own),
    ...(body !== null && { 'content-length': String(body.bytes.byteLength) }),
    host: url.host,
  };
}

async function collect(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const piece: Buffer = chunk;
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES_MAX) {
      response.destroy();
      throw new NodeError('http_failed', `the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    }
    chunks.push(piece);
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: readBody(Buffer.concat(chunks), response.headers['content-type'] ?? ''),
  };
}

function reason(cause: Error, limit: AbortSignal): string {
  if (limit.aborted) return 'it took too long';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : 'the connection failed';
}
