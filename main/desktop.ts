import { runDesktop } from './desktop/run.ts';

/**
 * The desktop window: the same host as `sluice serve`, with one window on its UI. Electron starts this file.
 */
await runDesktop();
