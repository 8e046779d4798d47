import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { workerBrowser } from './browser-environment.ts';
import { launchBrowser } from './launch.ts';

const WAIT_MS_MAX = 20_000;

/** The part of a browser that page tests use. */
export type TestBrowser = Pick<Browser, 'newContext' | 'version' | 'close'>;

/**
 * In page tests, the browser of their process; `close` closes the windows that were opened here. Elsewhere, a browser
 * of its own.
 */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await workerBrowser()?.();
  if (browser === undefined) return launchBrowser();
  const opened: BrowserContext[] = [];
  return {
    version: () => browser.version(),
    async newContext(options) {
      const context = await browser.newContext(options);
      opened.push(context);
      return context;
    },
    async close() {
      for (const context of opened.splice(0)) await context.close();
    },
  };
}

/** Errors that must not occur on any page of the UI. */
export interface Watch {
  readonly violations: string[];
  readonly foreignRequests: string[];
  readonly pageErrors: string[];
}

/** The result for a page without violations, foreign requests and errors. */
export const CLEAN: Watch = { violations: [], foreignRequests: [], pageErrors: [] };

/** A page on the UI at `ui` that records every CSP violation, foreign request and script error. */
export async function openPage(
  browser: TestBrowser,
  ui: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; watch: Watch; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const watch: Watch = { violations: [], foreignRequests: [], pageErrors: [] };
  await page.exposeFunction('reportViolation', (text: string) => void watch.violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell: unknown = Reflect.get(window, 'reportViolation');
      if (typeof tell === 'function') tell(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) watch.violations.push(message.text());
  });
  page.on('pageerror', (error) => watch.pageErrors.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== ui) watch.foreignRequests.push(request.url());
  });
  return { page, watch, close: () => context.close() };
}
