import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite';
import { ROOT } from '../package/places.ts';
import type { LogInPlugin } from './log-in-plugin.ts';
import type { DevOptions } from './options.ts';

/**
 * Vite's server of the admin UI: pages with hot reload, and the host's admin API and documentation behind the same
 * address. The host accepts only calls from its own origin, so calls from these pages, and no others, get its origin.
 */
export function startUiServer({ uiPort, hostPort }: DevOptions, logIn: LogInPlugin): Promise<ViteDevServer> {
  const root = join(ROOT, 'renderer');
  const cacheDir = join(ROOT, 'dist', 'vite');
  const host = hostProxy(uiPort, hostPort);
  return createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    cacheDir,
    plugins: [logIn],
    server: {
      host: '127.0.0.1',
      port: uiPort,
      strictPort: true,
      cors: false,
      // Not the whole checkout: it contains the data folder of `npm run dev`.
      fs: { allow: [root, join(ROOT, 'common'), realpathSync(join(ROOT, 'node_modules')), cacheDir] },
      // `/api` alone is a folder of the UI's sources.
      proxy: { '/api/v1/': host, '/docs/': host },
    },
  });
}

function hostProxy(uiPort: number, hostPort: number): ProxyOptions {
  const target = `http://127.0.0.1:${hostPort}`;
  const own = new Set(['127.0.0.1', 'localhost'].map((name) => `http://${name}:${uiPort}`));
  return {
    target,
    changeOrigin: true,
    configure(proxy) {
      proxy.on('proxyReq', (outgoing, { headers: { origin = '' } }) => {
        if (own.has(origin)) outgoing.setHeader('origin', target);
      });
    },
  };
}
