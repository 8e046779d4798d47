import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import express from 'express';

/**
 * Serves the built UI. Files under /assets have a hash of their content in their name and may be cached for a year;
 * every other GET of a browser outside /api returns the HTML document, with a new CSP nonce each time, so that nothing
 * needs `unsafe-inline`.
 */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sluice</title><p>The pages of the admin UI are not built. Run <code>npm run build:ui</code>, then load this page again.</p></html>\n';

export function serveUi(app: express.Express, { distDir }: { distDir: string }): void {
  const page = documentAnswer(distDir);
  const files = express.static(distDir, {
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    setHeaders: cacheFor(distDir),
  });
  // The document itself is never sent as a static file: its nonce would be the placeholder.
  app.get('/index.html', page);
  app.use((request, response, next) => {
    if (isApi(request.path)) next();
    else files(request, response, next);
  });
  app.use((request, response, next) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !isApi(request.path) &&
      !request.path.startsWith('/assets/') &&
      wantsPage(request);
    return isPage ? page(request, response) : next();
  });
}

/**
 * A browser that opens a page accepts HTML. A program that requests an unknown path must get 404, not 200 with a page.
 */
function wantsPage({ path, headers }: express.Request): boolean {
  return path === '/' || (headers.accept ?? '').includes('text/html');
}

function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function cacheFor(distDir: string) {
  const assets = join(distDir, 'assets') + sep;
  return (response: express.Response, file: string): void => {
    response.set('Cache-Control', file.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
  };
}

function documentAnswer(distDir: string) {
  return async (_request: express.Request, response: express.Response): Promise<void> => {
    const html = await readFile(join(distDir, 'index.html'), 'utf8').catch(() => null);
    response.set('Cache-Control', 'no-store').type('html');
    if (html === null) {
      response.status(503).send(NOT_BUILT);
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    response
      .set('Content-Security-Policy', contentSecurityPolicy(nonce))
      .send(html.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}
