import { runDesktop } from './desktop/run.ts';

/**
 * The desktop window: the same host as `sluice serve`, with one window on its UI. Electron starts this file.
 *
 * Not awaited: Electron is ready only when this module has been evaluated, so waiting here for what waits for that
 * would never end.
 */
runDesktop();
