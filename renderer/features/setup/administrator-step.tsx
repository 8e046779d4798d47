import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '#api/problem.ts';
import { useSetUp } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { FIELD_ORDER } from '#ui/form-fields.tsx';
import { takeGivenToken } from './given-token.ts';
import { setupFaults, type SetupInput } from './setup-faults.ts';

/** Step 1: the token from the data folder and the first Administrator, who is logged in afterwards. */
export function AdministratorStep() {
  const { t } = useTranslation();
  const [given] = useState(takeGivenToken);
  const first = useFirstFocus<HTMLInputElement>();
  const setUp = useSetUp();
  const [input, setInput] = useState<SetupInput>({ token: given, name: '', password: '' });
  const [asked, setAsked] = useState(false);
  const faults = asked ? setupFaults(t, input) : {};
  const ownFaults = Object.keys(faults).length > 0;
  // Shown as text below; the focus moves to the field.
  const wrongToken = isApiError(setUp.error, 'setup_token_wrong') && setUp.variables?.token === input.token.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(setupFaults(t, input)).length === 0)
      setUp.mutate({ ...input, token: input.token.trim(), name: input.name.trim() });
  };
  const field = (name: keyof SetupInput) => ({
    value: input[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setInput({ ...input, [name]: event.currentTarget.value }),
    label: t(`setupPage.administrator.${name}`),
    error: faults[name] === undefined ? name === 'token' && wrongToken : <FieldFault text={faults[name]} />,
    inputWrapperOrder: FIELD_ORDER,
  });
  return (
    <form onSubmit={submit} noValidate>
      <div>
        <h2>{t('setupPage.administrator.heading')}</h2>
        <p className="t2">{t('setupPage.administrator.lead')}</p>
      </div>
      <TextInput
        {...field('token')}
        description={t(given === '' ? 'setupPage.administrator.tokenPlaces' : 'setupPage.administrator.tokenGiven')}
        className="mono-field token-field"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        ref={given === '' ? first : null}
      />
      <TextInput
        {...field('name')}
        ref={given === '' ? null : first}
        description={t('setupPage.administrator.nameHelp')}
        autoComplete="username"
      />
      <PasswordInput
        {...field('password')}
        description={t('setupPage.administrator.passwordHelp')}
        autoComplete="new-password"
      />
      <div className="messages">{setUp.isError && !ownFaults && <ErrorNote error={setUp.error} />}</div>
      <div className="act">
        <Button type="submit" variant="filled" loading={setUp.isPending}>
          {t('setupPage.administrator.submit')}
        </Button>
      </div>
    </form>
  );
}
