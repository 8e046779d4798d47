import type { TFunction } from 'i18next';

export interface SetupInput {
  token: string;
  name: string;
  password: string;
}

const PASSWORD_CHARS_MIN = 10;
const NAME_CHARS_MAX = 64;

/** The error of each field as text; valid fields are absent. The server checks again. */
export function setupFaults(t: TFunction, input: SetupInput): Partial<Record<keyof SetupInput, string>> {
  const name = input.name.trim();
  return {
    ...(input.token.trim() === '' && { token: t('setupPage.administrator.tokenMissing') }),
    ...((name === '' || name.length > NAME_CHARS_MAX) && { name: t('setupPage.administrator.nameBad') }),
    ...(input.password.length < PASSWORD_CHARS_MIN && {
      password: t('setupPage.administrator.passwordShort', { count: input.password.length }),
    }),
  };
}
