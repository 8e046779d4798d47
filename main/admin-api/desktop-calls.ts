import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { DesktopPort } from '../contracts.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services } from './call.ts';

const kioskState = z.strictObject({ kiosk: z.boolean() });

/** The desktop window around the host. A service has none, and says so with 409. */
export const desktopCalls = [
  defineCall({
    method: 'post',
    path: '/desktop/kiosk',
    access: 'access_settings',
    audit: ['desktop.kiosk'],
    summary: 'Switch kiosk mode',
    description:
      'Shows the desktop window in full screen on a panel, or leaves that mode. It answers 409 when Sluice runs without a window.',
    body: z.strictObject({ on: z.boolean({ error: 'expected true or false' }) }),
    response: kioskState,
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
