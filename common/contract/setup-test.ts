import { z } from 'zod';
import { settingsSchema } from '../model/settings.ts';
import { SETUP_CODES, type SetupCheck } from '../model/setup-test.ts';
import { declareCall } from './declaration.ts';

const { baseUrl, gatewayHost, gatewayPort, uiPort } = settingsSchema.shape;
export const asked = z.strictObject({
  baseUrl: baseUrl.unwrap().optional(),
  gatewayHost: gatewayHost.unwrap().optional(),
  gatewayPort: gatewayPort.unwrap().optional(),
  uiPort: uiPort.unwrap().optional(),
});

const CHECKS: readonly SetupCheck[] = ['address', 'gatewayPort', 'uiPort', 'listening', 'firewall'];
const CODES = [...new Set(Object.values(SETUP_CODES).flat())];

const setupTest = z.strictObject({
  machine: z.string(),
  findings: z.array(
    z.strictObject({
      check: z.enum(CHECKS),
      ok: z.boolean().nullable().meta({ description: 'Null = not known, or it holds with a limit.' }),
      code: z.enum(CODES),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
});

export const setupTestContract = {
  test: declareCall({
    method: 'post',
    path: '/settings/test',
    access: 'access_settings',
    audit: { none: 'Tries addresses and ports of this machine and changes nothing.' },
    summary: 'Test addresses and ports',
    description:
      'Checks a base URL and ports before they are saved. Fields that are left out are taken from the settings.',
    body: asked,
    response: setupTest,
  }),
};
