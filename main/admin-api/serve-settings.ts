import type { Services } from './call.ts';
import { withoutGateway } from './without-gateway.ts';

/**
 * Applies the saved settings in the gateway and in the address for scrapes. Settings that they cannot apply (a port
 * that is in use) must not remain in the vault for the next start: `putBack` is called, and the gateway receives the
 * previous ones, because a part may be in effect there, or a process may have started with them meanwhile. Throws the
 * gateway's refusal.
 */
export async function serveSettings(
  { settings, gateway, scrapes, log }: Services,
  putBack: () => Promise<unknown>,
): Promise<void> {
  const tell = async () => {
    await withoutGateway(() => gateway.change({ kind: 'settings', settings: settings.current() }));
    await scrapes.configure(settings.current());
  };
  try {
    await tell();
  } catch (error) {
    const failed = (again: unknown) => log.error('the former settings could not be restored', { error: again });
    // The refusal is the response; the gateway may still have to start before it can apply the previous settings.
    await putBack().then(() => void tell().catch(failed), failed);
    throw error;
  }
}
