import { runDesktop } from './desktop/run.ts';

/**
 * The desktop window: the same host as `sluice serve`, with one window on its UI. Electron starts this file.
 *
 * Not awaited: Electron is ready only after this module was evaluated, so waiting for that here would deadlock.
 */
runDesktop();
