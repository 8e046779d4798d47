import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { defineCall, WRITTEN } from './call.ts';
import { whileAdmitted } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

const BACKUP_ACCESS = 'access_settings';

const PASSPHRASE_CHARS_MIN = 12;
const passphrase = z
  .string({ error: 'expected a text' })
  .min(PASSPHRASE_CHARS_MIN, `expected at least ${PASSPHRASE_CHARS_MIN} characters`)
  .max(1024, 'expected at most 1,024 characters');

export const backupCalls = [
  defineCall({
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
    async handle(services, context) {
      const { response, body } = context;
      await performAct(services, context, { target: 'backup' }, async () => {
        const bytes = await services.backup(body.passphrase);
        response.type('application/octet-stream').attachment(`sluice-${new Date().toISOString().slice(0, 10)}.backup`);
        // The answer ends only after the outcome is in the journal.
        await writeOut(whileAdmitted(services, context, BACKUP_ACCESS, bytes), response);
      });
      response.end();
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'post',
    path: '/restore',
    access: PERMISSIONS,
    audit: { none: 'Always refused.' },
    summary: 'Restore a backup',
    description: 'Always answers 409: a backup is restored on the command line while Sluice is stopped.',
    body: z.looseObject({}),
    response: null,
    handle() {
      throw new SluiceError(
        'conflict',
        'A backup is restored on the command line while Sluice is stopped: sluice restore FILE.',
      );
    },
  }),
];
