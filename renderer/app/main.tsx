import '@fontsource-variable/ibm-plex-sans/standard.css';
import '@fontsource/ibm-plex-mono/400.css';
import '@fontsource/ibm-plex-mono/500.css';
import '@fontsource/ibm-plex-mono/600.css';
import '../ui/mantine.css';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/shell.css';
import '../ui/controls.css';
import '../ui/panel.css';
import '../ui/store-forward.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { focusFirstFault } from '../ui/focus-fault.ts';
import { followFocus } from '../ui/focus-return.ts';
import { keepFocusOfDisabled } from '../ui/keep-focus.ts';
import { dropFailedLinks } from '../ui/part/fetch-part.ts';
import { NARROW } from '../ui/use-narrow.ts';
import { App } from './app.tsx';
import { createClient } from './query-client.ts';
import { startText } from './i18n.ts';

/**
 * The nonce of this response, which the admin API inserted into the page; style elements that are created later have
 * it.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);
// Pages that check input load Zod: without this it would try to compile code, which the CSP reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
dropFailedLinks(document);
await Promise.all([startText(), dressNarrow()]);
keepFocusOfDisabled(document);
followFocus(document);
const client = createClient();
focusFirstFault(document, {
  isRunning: () => client.isMutating() > 0,
  onChange: (listener) => client.getMutationCache().subscribe(listener),
});
createRoot(root).render(<App nonce={nonce} client={client} />);

/** Wider windows do without these rules until they become narrow. */
async function dressNarrow(): Promise<void> {
  const narrow = matchMedia(NARROW);
  const load = () => import('../ui/narrow.css').then(() => undefined, console.error);
  if (narrow.matches) return load();
  narrow.addEventListener('change', load, { once: true });
}
