import { vaultContract } from '#common/contract/vault.ts';
import { performAct } from './acts.ts';
import { defineCall } from './call.ts';

/**
 * An older vault that was put back (docs/spec/storage.md#an-older-vault): whoever has looked at keys and people accepts
 * it as it is.
 */
export const vaultCalls = [
  defineCall(vaultContract.confirm, {
    async handle(services, context) {
      await performAct(services, context, { target: 'vault' }, services.confirmVault);
      services.hub.publish({ kind: 'state' });
      return null;
    },
  }),
];
