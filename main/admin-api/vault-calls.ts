import { vaultContract } from '#common/contract/vault.ts';
import { performAct } from './acts.ts';
import { defineCall } from './call.ts';

/** A restored older vault (docs/spec/storage.md#an-older-vault): a user who has checked keys and users accepts it. */
export const vaultCalls = [
  defineCall(vaultContract.confirm, {
    async handle(services, context) {
      await performAct(services, context, { target: 'vault' }, services.confirmVault);
      services.hub.publish({ kind: 'state' });
      return null;
    },
  }),
];
