import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { expected } from '../errors/rules.ts';

const kioskState = z.strictObject({ kiosk: z.boolean() });

export const desktopContract = {
  kiosk: declareCall({
    method: 'post',
    path: '/desktop/kiosk',
    access: 'access_settings',
    usersOnly: true,
    audit: ['desktop.kiosk'],
    summary: 'Switch kiosk mode',
    description:
      'Shows the desktop window in full screen on a panel, or leaves that mode. It answers 409 when Sluice runs without a window.',
    body: z.strictObject({ on: z.boolean({ error: expected('true_or_false') }) }),
    response: kioskState,
  }),
};
