import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';

/**
 * Serves the documentation under /docs/: static pages that come with Sluice. Like the files of the UI, they need no
 * session: the pages are the same on every PC and contain no secrets, and they are needed when nobody can log in. Host
 * and Origin are checked before (guards.ts).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const NO_PAGE = page('There is no such page. <a href="/docs/">Open the documentation</a>');
const NOT_BUILT = page(
  'The documentation pages are not built. Run <code>npm run docs:site</code>, then load this page again.',
);

export function serveDocs(app: express.Express, { docsDir }: { docsDir: string }): void {
  // The pages use relative links: without the slash these would lead elsewhere.
  app.get('/docs', (_request, response) => response.redirect(308, '/docs/'));
  app.use('/docs', (_request, response, next) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
    next();
  });
  app.use('/docs', express.static(docsDir, { redirect: false, dotfiles: 'ignore', cacheControl: false }));
  app.get('/docs/{*path}', (_request, response) => {
    const isBuilt = existsSync(join(docsDir, 'index.html'));
    response
      .status(isBuilt ? 404 : 503)
      .type('html')
      .send(isBuilt ? NO_PAGE : NOT_BUILT);
  });
}

function page(sentence: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sluice documentation</title><p>${sentence}</p></html>\n`;
}
