import { backupContract } from '#common/contract/backup.ts';
import { declared, record } from './acts.ts';
import { defineCall, invalid } from './call.ts';
import { expectDiskRoom } from './expect-disk-room.ts';

/** Restoring from the admin UI (docs/spec/storage.md#restore): upload, check, apply. */
export const restoreCalls = [
  defineCall(backupContract.beginRestore, {
    async handle(services, { body }) {
      expectDiskRoom(services, body.bytes);
      return { upload: await services.restore.begin(body.bytes) };
    },
  }),
  defineCall(backupContract.sendRestore, {
    async handle(services, { body, param }) {
      expectDiskRoom(services, body.base64.length);
      const piece = Buffer.from(body.base64, 'base64');
      return { received: await services.restore.take(param('upload'), body.at, piece) };
    },
  }),
  defineCall(backupContract.checkRestore, {
    handle: ({ restore }, { body, param }) => restore.check(param('upload'), body.passphrase),
  }),
  defineCall(backupContract.applyRestore, {
    async handle(services, context) {
      const { body, param, response, session } = context;
      const { name } = services.machine();
      if (body.machine !== name)
        throw invalid([{ path: 'machine', message: `expected the name of this PC, ${JSON.stringify(name)}` }]);
      const begin = services.restore.ready(param('upload'), session.user.name);
      // Its outcome is written by the next start.
      await record(services.audit, declared(context, { ...context.who, target: 'backup' }), 'Nothing was done.');
      response.once('close', begin);
      return null;
    },
  }),
  defineCall(backupContract.cancelRestore, {
    async handle({ restore }, { param }) {
      await restore.remove(param('upload'));
      return null;
    },
  }),
];
