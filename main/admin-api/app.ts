import { randomUUID } from 'node:crypto';
import express from 'express';
import helmet from 'helmet';
import { normaliseAddress } from '#common/cidr.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Session } from '../contracts.ts';
import { isToken } from '../people/service-tokens.ts';
import { readBody } from './body.ts';
import { BodyBudget } from './body-budget.ts';
import { type Call, type Services, WRITTEN } from './call.ts';
import type { AdminDeps } from './deps.ts';
import { serveDocs } from './docs.ts';
import { errorAnswer, requestId } from './errors.ts';
import { createEventHub } from './events.ts';
import { csrfGuard, hostGuard, originGuard, permissionGuard, tokenGuard } from './guards.ts';
import { journalRefusals, rememberUser } from './journal-refusals.ts';
import { LatestRestrictions } from './latest-restrictions.ts';
import { createLocks } from './locks.ts';
import { metricsCall } from './metrics-calls.ts';
import { openApi } from './openapi.ts';
import { takeUpHeldChanges } from './perform-restriction.ts';
import { OpenWindows } from './presence.ts';
import { readToken } from './read-token.ts';
import { createRefusedCalls } from './refused-calls.ts';
import { recordSessionEnd } from './session-calls.ts';
import { readCookie } from './session-cookie.ts';
import { CALLS } from './table.ts';
import { serveUi } from './ui.ts';

/** Delay with which the journal records an expired session. */
const EXPIRY_EVERY_MS = 60_000;

/**
 * The admin API under /api/v1 and the UI (docs/spec/admin-api.md#access). Order of checks: request ID, security
 * headers, Host, Origin, matching the call, session and CSRF token or service token, permission, body, then the call.
 * The first refusal ends the request.
 *
 * Limits: bodies 1 MiB (16 KiB before log-in), 200 levels of JSON, memory for all bodies as in body-budget.ts; live
 * streams as in events.ts; sockets and times as in listen.ts; rows of refused calls as in refused-calls.ts. Security:
 * cookies ignore ports, so a session is its cookie and its CSRF token, on GETs too (guards.ts). All decisions follow
 * from the declaration of the call (call.ts); a call without a session or a permission must declare that explicitly in
 * `access`.
 */
export function createAdminApi(services: Services): express.Express {
  const { people, gateway, uiPort, hub, ...deps } = services;
  takeUpHeldChanges(services);
  people.onSessionsEnded((userId) => hub.closeUser(userId));
  people.onSessionOver(({ id, name }, detail) => {
    void recordSessionEnd(deps, { act: 'session.end', user: name, target: id, detail });
  });
  const expiry = setInterval(() => people.endExpiredSessions(), EXPIRY_EVERY_MS);
  expiry.unref();
  const unsubscribe = gateway.on((event) => hub.publish(event));
  const refused = createRefusedCalls(deps.audit, deps.log);

  const app = express();
  app.once('close', () => {
    unsubscribe();
    hub.close();
    clearInterval(expiry);
    void refused.close();
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');
  app.use(identify);
  app.use(helmet({ contentSecurityPolicy: false, strictTransportSecurity: false }), strictestPolicy);
  app.use(hostGuard(uiPort), originGuard(uiPort));
  app.use('/api', apiRouter(services));
  app.get('/metrics', notKept, (request, response) => handle(services, metricsCall, request, response));
  if (deps.docsDir !== null) serveDocs(app, { docsDir: deps.docsDir });
  if (deps.distDir !== null) serveUi(app, { distDir: deps.distDir });
  app.use(nothingHere);
  app.use(journalRefusals(refused), errorAnswer(deps.log));
  return app;
}

/** With the state that all calls share. */
export function createServices(deps: AdminDeps): Services {
  return {
    ...deps,
    hub: createEventHub((cookie) => deps.people.session(cookie) !== null),
    locks: createLocks(),
    restrictions: new LatestRestrictions(),
    bodies: new BodyBudget(),
    openWindows: new OpenWindows(),
  };
}

function identify(_request: express.Request, response: express.Response, next: express.NextFunction): void {
  const id = randomUUID();
  response.locals['requestId'] = id;
  response.set('X-Request-Id', id);
  next();
}

/** For everything that is not a page: if a browser ever renders it, it can do nothing. */
function strictestPolicy(_request: express.Request, response: express.Response, next: express.NextFunction): void {
  response.set(
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
  next();
}

function notKept(_request: express.Request, response: express.Response, next: express.NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

function nothingHere(): void {
  throw new SluiceError('unknown', 'There is no object with this name or ID.');
}

function apiRouter(services: Services): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(notKept);
  // Created on first use, which is rare: it takes 100 ms, which would delay every start. One for each host name: the
  // Host guard accepts only a few.
  const documents = new Map<string, ReturnType<typeof openApi>>();
  router.get('/v1/openapi.json', (request, response) => {
    const host = request.headers.host?.toLowerCase() ?? '';
    const { version, uiPort } = services;
    const document = documents.get(host) ?? openApi({ version, uiPort: uiPort(), host });
    documents.set(host, document);
    response.json(document);
  });
  for (const call of CALLS)
    router[call.method](`/v1${call.path}`, (request, response) => handle(services, call, request, response));
  router.use(nothingHere);
  return router;
}

async function handle(
  services: Services,
  call: Call,
  request: express.Request,
  response: express.Response,
): Promise<void> {
  admit(services, call, request, response);
  const body = await readBody(request, response, call, services.bodies);
  // Checked again: the session may have ended, or lost a permission, while the body arrived.
  const session = admit(services, call, request, response);
  const { ip, credential } = callerOf(services, call, request);
  const raw = { request, response, requestId: requestId(response), ip, credential, session, body };
  const value = await call.answer(services, raw);
  if (value === WRITTEN) return;
  response.status(call.status);
  if (call.response === null) response.end();
  else response.json(value);
}

/** The session that may make the call; null if none is needed. */
function admit(services: Services, call: Call, request: express.Request, response: express.Response): Session | null {
  if (!needsSession(call)) return null;
  const session = sessionOf(services, callerOf(services, call, request));
  rememberUser(response, session.user.name);
  if (session.token) tokenGuard(call, session.token, request);
  else csrfGuard(request, session);
  // Its connection is closed last in favour of others (admin-connections.ts).
  request.app.emit('session', request.socket);
  permissionGuard(call.access, session);
  return session;
}

function needsSession({ access }: Call): boolean {
  return access !== 'public' && access !== 'bearer';
}

interface Caller {
  readonly ip: string;
  readonly credential: string | null;
  /** It sent a service token and a cookie. */
  readonly isAmbiguous: boolean;
}

/** A call without a session may have another token in its header, or end the session of the cookie. */
function callerOf({ uiPort }: Services, call: Call, request: express.Request): Caller {
  const ip = normaliseAddress(request.socket.remoteAddress ?? '');
  const token = needsSession(call) ? readToken(request) : null;
  const isAmbiguous = token !== null && request.headers.cookie !== undefined;
  return { ip, credential: token ?? readCookie(request, uiPort()), isAmbiguous };
}

function sessionOf({ people }: Services, { ip, credential, isAmbiguous }: Caller): Session {
  if (isAmbiguous) people.tokens.refuse(ip, 'token_and_cookie');
  if (credential !== null && isToken(credential)) return people.tokens.admit(credential, ip);
  const session = credential === null ? null : people.session(credential);
  if (session !== null) return session;
  if (people.setupNeeded)
    throw new SluiceError(
      'setup_needed',
      'Sluice is not set up yet; the set-up token is in the file setup-token of its data folder.',
    );
  throw new SluiceError('no_session', 'Log in first.');
}
