import { chromium, type Browser } from 'playwright';
import { browserProgram } from '#test/browser-program.ts';

/** A name that resolves to this machine, as one that an attacker has rebound (hostile-page.test.ts). */
export const REBOUND = 'rebound.example';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
];

/** An installed Chromium, started so that it makes no connections on its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserProgram(), args: ARGUMENTS });
}
