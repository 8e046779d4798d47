import { performAct } from './acts.ts';
import { defineCall } from './call.ts';

/** An older vault that was put back (behaviour 8): whoever has looked at keys and people accepts it as it is. */
export const vaultCalls = [
  defineCall({
    method: 'post',
    path: '/vault/confirm',
    access: 'access_settings',
    summary: 'Accept an older vault that was put back: keys that it holds are valid again; 409 when there is none',
    response: null,
    async handle(services, context) {
      await performAct(services, context, { act: 'vault.confirm', target: 'vault' }, services.confirmVault);
      services.hub.publish({ kind: 'state' });
      return null;
    },
  }),
];
