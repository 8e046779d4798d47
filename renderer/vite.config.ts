import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The root is given by the caller: `build/ui.ts`, or `build/dev.ts` with hot reload. `cspNonce` writes a placeholder
 * into every script and style link; the admin API replaces it with a new nonce per response.
 */
export default defineConfig({
  base: '/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // All of these browsers support light-dark(); for an older target it would be rewritten.
    target: ['chrome128', 'edge128', 'firefox128', 'safari17.5'],
    // A data: font or image would need a wider policy; every asset is a file of the same origin.
    assetsInlineLimit: 0,
    // Every library of the page with the text of its licence; the Help page links to it.
    license: { fileName: 'licenses.txt' },
    modulePreload: { polyfill: false },
    // build/ui.ts checks the gzipped size against its own budget.
    chunkSizeWarningLimit: 1000,
  },
});
