import { desktopContract } from '#common/contract/desktop.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { DesktopPort } from '../contracts.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services } from './call.ts';

/** The desktop window of the host. A service has none, and responds with 409. */
export const desktopCalls = [
  defineCall(desktopContract.kiosk, {
    async handle(services, context) {
      const window = desktopOf(services);
      const { on } = context.body;
      const row = { target: 'desktop', detail: on ? 'on' : 'off' };
      await performAct(services, context, row, () => window.setKiosk(on));
      services.hub.publish({ kind: 'state' });
      return { kiosk: window.kiosk() };
    },
  }),
];

function desktopOf({ desktop }: Services): DesktopPort {
  if (desktop !== undefined) return desktop;
  throw new SluiceError('conflict', 'Sluice runs as a service on this PC, without a window of its own.');
}
