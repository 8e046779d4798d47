import { backupContract, BACKUP_ACCESS } from '#common/contract/backup.ts';
import { performAct } from './acts.ts';
import { defineCall, WRITTEN } from './call.ts';
import { whileAdmitted } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

export const backupCalls = [
  defineCall(backupContract.create, {
    async handle(services, context) {
      const { response, body } = context;
      await performAct(services, context, { target: 'backup' }, async () => {
        const bytes = await services.backup(body.passphrase);
        response.type('application/octet-stream').attachment(`sluice-${new Date().toISOString().slice(0, 10)}.backup`);
        // The response ends only after the outcome is in the journal.
        await writeOut(whileAdmitted(services, context, BACKUP_ACCESS, bytes), response);
      });
      response.end();
      return WRITTEN;
    },
  }),
];
