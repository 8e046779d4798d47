import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetUp } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { FieldFault } from '#ui/field-error.tsx';
import { setupFaults, type SetupInput } from './setup-faults.ts';

/** First start: the token from the data folder and the first Administrator. Logs in at once afterwards. */
export function SetupPage({ bar, hint }: { bar: ReactNode; hint: string }) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('setup.title')} | Sluice`;
  }, [t]);
  const [input, setInput] = useState<SetupInput>({ token: '', name: '', password: '' });
  return (
    <div className="front">
      {bar}
      <Steps tokenGiven={input.token.trim() !== ''} />
      <main>
        <SetupForm input={input} onChange={setInput} hint={hint} />
      </main>
    </div>
  );
}

function Steps({ tokenGiven }: { tokenGiven: boolean }) {
  const { t } = useTranslation();
  const steps = [
    { title: t('setup.stepToken'), help: t('setup.stepTokenHelp'), current: !tokenGiven },
    { title: t('setup.stepAdmin'), help: t('setup.stepAdminHelp'), current: tokenGiven },
  ];
  return (
    <aside className="aside">
      <div>
        <h1>{t('setup.title')}</h1>
        <p className="t2">{t('setup.intro')}</p>
      </div>
      <ol className="steps">
        {steps.map((step, index) => (
          <li key={step.title} aria-current={step.current ? 'step' : undefined}>
            <span className="number">{index + 1}</span>
            <span className="two">
              <b>{step.title}</b>
              <small>{step.help}</small>
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

interface FormProps {
  input: SetupInput;
  onChange: (input: SetupInput) => void;
  hint: string;
}

function SetupForm({ input, onChange, hint }: FormProps) {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>();
  const setUp = useSetUp();
  const [asked, setAsked] = useState(false);
  const faults = asked ? setupFaults(t, input) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(setupFaults(t, input)).length === 0)
      setUp.mutate({ ...input, token: input.token.trim(), name: input.name.trim() });
  };
  const field = (name: keyof SetupInput) => ({
    value: input[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...input, [name]: event.currentTarget.value }),
    label: t(`setup.${name}`),
    error: faults[name] !== undefined && <FieldFault text={faults[name]} />,
    inputWrapperOrder: ['label' as const, 'input' as const, 'error' as const, 'description' as const],
  });
  return (
    <form onSubmit={submit} noValidate>
      <div>
        <h2>{t('setup.heading')}</h2>
        <p className="t2">{t('setup.lead')}</p>
      </div>
      <TextInput
        {...field('token')}
        description={/[\\/]setup-token/.test(hint) ? hint : t('setup.tokenPlaces')}
        className="mono-field"
        autoComplete="off"
        spellCheck={false}
        ref={first}
      />
      <TextInput {...field('name')} description={t('setup.nameHelp')} autoComplete="username" />
      <PasswordInput {...field('password')} description={t('setup.passwordHelp')} autoComplete="new-password" />
      {setUp.isError && <ErrorNote error={setUp.error} />}
      <div className="act">
        <Button type="submit" variant="filled" loading={setUp.isPending}>
          {t('setup.submit')}
        </Button>
      </div>
    </form>
  );
}
