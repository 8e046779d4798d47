import { type Template, templateField, z } from '#sdk';

export interface HeaderTemplate {
  /** Lower-case. */
  readonly name: string;
  readonly template: Template;
}

const HEADERS_MAX = 32;
const NAME_CHARS_MAX = 64;
const TOKEN = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/** Why a header may not be set, by lower-case name. Cookies and site-wide orders ignore ports: they would hit the UI. */
const REFUSED: Readonly<Record<string, string>> = {
  'set-cookie': 'cookies ignore ports, so a route could replace the session of the admin UI',
  'set-cookie2': 'cookies ignore ports, so a route could replace the session of the admin UI',
  'clear-site-data': 'it ignores ports, so a route could end the session of the admin UI',
  'strict-transport-security': 'it ignores ports, so a route could lock browsers out of the admin UI',
  'content-length': 'the gateway frames the reply',
  'transfer-encoding': 'the gateway frames the reply',
  trailer: 'the gateway frames the reply',
  connection: 'it belongs to the connection, not to the reply',
  'keep-alive': 'it belongs to the connection, not to the reply',
  'proxy-connection': 'it belongs to the connection, not to the reply',
  'proxy-authenticate': 'it belongs to the connection, not to the reply',
  'proxy-authorization': 'it belongs to the connection, not to the reply',
  te: 'it belongs to the connection, not to the reply',
  upgrade: 'it belongs to the connection, not to the reply',
  date: 'the gateway sets it',
  vary: 'the gateway sets it',
  'x-request-id': 'the gateway sets it',
  'x-content-type-options': 'the gateway sets it',
  'content-security-policy': 'the gateway sets it',
  ratelimit: 'the gateway sets it',
  'ratelimit-policy': 'the gateway sets it',
  'x-api-key': 'a key never leaves',
};

/** Reads `{ name: template }` into lower-case names and parsed templates; refuses what a route must not send. */
export const replyHeaders = z
  .record(z.string(), templateField, { error: 'expected an object of header names and values' })
  .transform((headers, context): HeaderTemplate[] => {
    const names = Object.keys(headers);
    if (names.length > HEADERS_MAX) refuse(context, [], `expected at most ${HEADERS_MAX} headers`);
    const read = new Map<string, HeaderTemplate>();
    for (const given of names.slice(0, HEADERS_MAX)) {
      const name = given.toLowerCase();
      const fault = nameFault(name) ?? (read.has(name) ? `the header "${name}" is there twice` : null);
      if (fault !== null) refuse(context, [given], fault);
      else read.set(name, { name, template: headers[given] ?? [] });
    }
    return [...read.values()];
  });

function nameFault(name: string): string | null {
  if (name.length > NAME_CHARS_MAX || !TOKEN.test(name)) return `"${name.slice(0, 60)}" is not a header name`;
  if (name.startsWith('access-control-'))
    return `the header "${name}" cannot be set here: the route's CORS settings make it`;
  const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  return why === undefined ? null : `the header "${name}" cannot be set here: ${why}`;
}

function refuse(context: z.RefinementCtx, path: string[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}
