import { z } from 'zod';
import { PERMISSIONS } from '../model/records.ts';
import { declareCall } from './declaration.ts';
import { expected } from '../errors/rules.ts';

export const BACKUP_ACCESS = 'access_settings';

const PASSPHRASE_CHARS_MIN = 12;
const passphrase = z
  .string({ error: expected('text') })
  .min(PASSPHRASE_CHARS_MIN, expected('length_min', { min: PASSPHRASE_CHARS_MIN }))
  .max(1024, expected('length_max', { max: 1_024 }));

export const backupContract = {
  create: declareCall({
    method: 'post',
    path: '/backup',
    access: BACKUP_ACCESS,
    audit: ['backup'],
    summary: 'Create a backup',
    description:
      'Downloads one file with everything but journal and history. Its secret is wrapped by the passphrase, which a restore needs.',
    body: z.strictObject({ passphrase }),
    response: null,
    contentType: 'application/octet-stream',
  }),
  restore: declareCall({
    method: 'post',
    path: '/restore',
    access: PERMISSIONS,
    audit: { none: 'Always refused.' },
    summary: 'Restore a backup',
    description: 'Always answers 409: a backup is restored on the command line while Sluice is stopped.',
    body: z.looseObject({}),
    response: null,
  }),
};
