import { performAct } from './acts.ts';
import { defineCall } from './call.ts';

/**
 * An older vault that was put back (docs/spec/storage.md#an-older-vault): whoever has looked at keys and people accepts
 * it as it is.
 */
export const vaultCalls = [
  defineCall({
    method: 'post',
    path: '/vault/confirm',
    access: 'access_settings',
    audit: ['vault.confirm'],
    summary: 'Accept an older vault',
    description:
      'Accepts a vault that is older than Sluice expected, so that its keys are valid again. It answers 409 when there is nothing to accept.',
    response: null,
    async handle(services, context) {
      await performAct(services, context, { target: 'vault' }, services.confirmVault);
      services.hub.publish({ kind: 'state' });
      return null;
    },
  }),
];
