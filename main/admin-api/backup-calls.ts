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
    summary: 'Make a backup: one file, its secret wrapped by the passphrase',
    body: z.strictObject({ passphrase }),
    response: null,
    contentType: 'application/octet-stream',
    async handle(services, context) {
      const { response, body } = context;
      await performAct(services, context, { act: 'backup', target: 'backup' }, async () => {
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
    summary: 'Restoring is done on the command line, while Sluice is stopped: answers 409 saying so',
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
