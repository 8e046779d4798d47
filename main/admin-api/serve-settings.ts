import type { Services } from './call.ts';
import { withoutGateway } from './without-gateway.ts';

/**
 * Has the gateway, and the address for scrapes, serve by the settings as they are saved. What they cannot do (a port that is taken) must not wait in the
 * vault for its next start: `putBack` is called, and the gateway told again, since a part of it may be in force there,
 * or a process may have begun with it meanwhile. Throws what the gateway refused.
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
    const failed = (again: unknown) => log.error('the former settings could not be put back', { error: again });
    // The refusal is the answer; the gateway that takes the former settings again may still have to come up.
    await putBack().then(() => void tell().catch(failed), failed);
    throw error;
  }
}
