import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The root is given by the caller: `build/ui.ts`, or `build/dev.ts` with hot reload.
 * `cspNonce` writes a placeholder into every script and style link; the admin API puts a fresh nonce in per response.
 */
export default defineConfig({
  base: '/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every one of these knows light-dark(); an older target would have it rewritten.
    target: ['chrome128', 'edge128', 'firefox128', 'safari17.5'],
    // A data: font or image would need a wider policy; every asset is a file of our own origin.
    assetsInlineLimit: 0,
    // Every library of the page with the text of its licence; the Help page leads to it.
    license: { fileName: 'licenses.txt' },
    modulePreload: { polyfill: false },
    // build/ui.ts checks the gzipped size against a budget of its own.
    chunkSizeWarningLimit: 1000,
  },
});
