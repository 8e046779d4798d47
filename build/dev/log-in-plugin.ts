import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import type { DevSession } from './developer.ts';

const LOG_IN_PATH = '/dev/log-in';

/**
 * Logs the browser in as the development user: a page that is opened without a session of the running host is
 * redirected through `/dev/log-in`, which sets the cookie and the token. Other origins can open it, but cannot read the
 * token in it: the server allows no cross-origin reads (`cors: false`) and no other host names.
 */
export interface LogInPlugin extends Plugin {
  /** Discards the sessions of the previous host. */
  reset(): void;
}

export function logInPlugin(openSession: () => Promise<DevSession>): LogInPlugin {
  const cookies = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== LOG_IN_PATH) {
      response.writeHead(302, { location: `${LOG_IN_PATH}?to=${encodeURIComponent(request.url ?? '/')}` }).end();
      return;
    }
    const session = await openSession();
    cookies.add(session.cookie);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'set-cookie': session.setCookie,
    });
    response.end(logInPage(session.csrfToken, searchParams.get('to') ?? '/'));
  };
  return {
    name: 'log-in',
    reset: () => cookies.clear(),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!isPage(request) || hasCookie(request, cookies)) next();
        else void answer(request, response).catch((error: unknown) => response.writeHead(503).end(String(error)));
      });
    },
  };
}

function isPage({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !/^\/(?:api\/v1|docs)\//.test(url);
}

function hasCookie({ url = '', headers }: IncomingMessage, cookies: ReadonlySet<string>): boolean {
  if (url.startsWith(LOG_IN_PATH)) return false;
  return (headers.cookie ?? '').split('; ').some((cookie) => cookies.has(cookie));
}

/** `to` is a path of these pages; any other value leads to the first page. */
function logInPage(csrfToken: string, to: string): string {
  const next = /^\/(?!\/|\\|dev\/)/.test(to) ? to : '/';
  return `<!doctype html><title>Sluice</title><script type="module">
import { rememberSessionToken } from '/api/session-token.ts';
rememberSessionToken(${scriptText(csrfToken)});
location.replace(${scriptText(next)});
</script>`;
}

/** JSON that cannot end its script element. */
const scriptText = (text: string): string => JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
