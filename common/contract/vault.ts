import { declareCall } from './declaration.ts';

export const vaultContract = {
  confirm: declareCall({
    method: 'post',
    path: '/vault/confirm',
    access: 'access_settings',
    usersOnly: true,
    audit: ['vault.confirm'],
    summary: 'Accept an older vault',
    description:
      'Accepts a vault that is older than Sluice expected, so that its keys are valid again. It answers 409 when there is nothing to accept.',
    response: null,
  }),
};
