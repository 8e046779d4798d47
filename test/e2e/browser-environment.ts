import type { Browser } from 'playwright';
import type { Environment } from 'vitest/runtime';
import { launchBrowser } from './launch.ts';

/** The browser of a test process, started again if it has crashed. */
export type WorkerBrowser = () => Promise<Browser>;

/** Environments and tests are loaded separately: this global connects them. */
const KEY = Symbol.for('sluice.worker-browser');

/**
 * The environment of the page tests (vitest.config.ts): one browser for all files of a process, closed after the last
 * one. It starts before the first file, so that leaks.ts does not count it.
 */
const environment: Environment = {
  name: 'browser',
  viteEnvironment: 'ssr',
  async setup(global: object) {
    let browser = await launchBrowser();
    const current: WorkerBrowser = async () => {
      if (!browser.isConnected()) browser = await launchBrowser();
      return browser;
    };
    Reflect.set(global, KEY, current);
    return { teardown: () => browser.close() };
  },
};
export default environment;

/** Undefined outside of page tests. */
export function workerBrowser(): WorkerBrowser | undefined {
  return Reflect.get(globalThis, KEY) as WorkerBrowser | undefined;
}
