/**
 * `http.request`, only for third-party kinds (docs/spec/sandbox.md#plugins): to targets that the manifest names and an
 * administrator approved, subject to the address rules of docs/spec/egress.md#addresses like every outgoing call.
 *
 * Fails with NodeError: `call_invalid`, `target_refused`, `target_unknown`, `target_unreachable`, `target_timeout`,
 * `answer_too_large`. Limits: the size of the response and its headers, the time of the call; no redirects, no proxy,
 * no keep-alive. Security: the target is compared as `host:port` of the parsed URL; the connection uses the checked
 * address. The error of a failed call names scheme, host and port, never path, query, headers or bodies, which may
 * contain secrets. The cause, which may name them, is not passed on either.
 */
import http, { validateHeaderName, validateHeaderValue } from 'node:http';
import type { CallArgs, CallValue } from '#common/capabilities/calls.ts';
import { NodeError, type PluginReach } from '#sdk';
import { failureOf } from '#net/call-failure.ts';
import { readBody, type WrittenBody, writeBody } from '#net/http-body.ts';
import type { Target, TargetGuard } from '#net/target-guard.ts';
import type { Capability, Perform } from '../contract.ts';
import { callWrites, REHEARSED_ANSWER } from '../writes/planned-write.ts';

export const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const USUAL_PORT: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Headers that frame the request or name its target, which the plugin must not change. */
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
  const perform: Perform<'http.request'> = async (args, { plugin }, signal) => {
    const url = readUrl(args.url);
    const target = await guard.resolve(url.hostname, allowedPort(url, plugin));
    const refused = new AbortController();
    const letGo = guard.hold(target, (refusal) => refused.abort(refusal));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(args.timeout * 1000), refused.signal]);
    try {
      return await request(url, target, args, limit);
    } catch (error) {
      throw failed(url, args, limit, refused.signal.reason ?? error);
    } finally {
      letGo();
    }
  };
  return {
    calls: { 'http.request': perform },
    rehearsals: {
      async 'http.request'(args, context, signal) {
        const url = readUrl(args.url);
        if (callWrites(args.method, url).length === 0) return perform(args, context, signal);
        await guard.resolve(url.hostname, allowedPort(url, context.plugin));
        return REHEARSED_ANSWER;
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

/** The port of a target that was approved for the plugin. */
function allowedPort({ hostname, port: given, protocol }: URL, plugin: PluginReach | undefined): number {
  const port = given === '' ? (USUAL_PORT[protocol] ?? 0) : Number(given);
  const wanted = `${hostname}:${port}`.toLowerCase();
  if (plugin?.targets.some((target) => target.toLowerCase() === wanted) === true) return port;
  throw new NodeError('target_refused', `${wanted} is not among the targets that were approved for this plugin`);
}

async function request(url: URL, target: Target, args: Args, limit: AbortSignal): Promise<Answer> {
  const body = await writeBody(args.body, { bytesMax: REQUEST_BYTES_MAX, signal: limit, tooLong });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const secure = url.protocol === 'https:';
  // Loaded on first use: the root certificates that come with it take 2 MB.
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
  sent.on('error', reject);
  sent.end(body?.bytes);
  return promise;
}

function tooLong(): NodeError {
  return new NodeError('call_invalid', `http.request: body: expected at most ${REQUEST_BYTES_MAX} bytes`);
}

function headersOf(url: URL, args: Args, body: WrittenBody | null): Record<string, string> {
  const own = Object.entries(args.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const refused = own.find(([name]) => REFUSED_HEADERS.has(name));
  if (refused !== undefined)
    throw new NodeError('call_invalid', `http.request: headers: "${refused[0]}" is written by the gateway`);
  for (const [name, value] of own) refuseUnsendable(name, value);
  return {
    ...(body !== null && { 'content-type': body.contentType }),
    ...Object.fromEntries(own),
    ...(body !== null && { 'content-length': String(body.bytes.byteLength) }),
    host: url.host,
  };
}

/** An invalid name is not included in the error: it could be a whole line with its value. */
function refuseUnsendable(name: string, value: string): void {
  let what = 'a name';
  try {
    validateHeaderName(name);
    what = `"${name.slice(0, 60)}"`;
    validateHeaderValue(name, value);
  } catch {
    throw new NodeError('call_invalid', `http.request: headers: ${what} holds characters that cannot be sent`);
  }
}

async function collect(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const piece: Buffer = chunk;
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES_MAX) {
      response.destroy();
      throw new TooLarge();
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

class TooLarge extends Error {}

function failed({ origin }: URL, { timeout }: Args, limit: AbortSignal, error: unknown): NodeError {
  if (error instanceof NodeError) return error;
  if (error instanceof TooLarge)
    return new NodeError('answer_too_large', `${origin}: the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
  if (limit.aborted) return new NodeError('target_timeout', `${origin}: no whole answer within ${timeout} s`);
  return new NodeError('target_unreachable', `${origin}: ${failureOf(error).text}`);
}
