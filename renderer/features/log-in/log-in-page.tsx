import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetFrontNote, readFrontNote } from '#api/front-note.ts';
import { useLogIn } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { FieldFault } from '#ui/field-error.tsx';
import { Note } from '#ui/note.tsx';
import { useTitle } from '#ui/use-title.ts';

export function LogInPage({ bar, ended }: { bar: ReactNode; ended: boolean }) {
  const { t } = useTranslation();
  useTitle(t('logIn.title'));
  return (
    <div className="front">
      {bar}
      <aside className="aside">
        <div>
          <h1>{t('logIn.aside')}</h1>
          <p className="t2">{t('logIn.asideHelp')}</p>
        </div>
        <p className="xs t3 foot">
          {t('logIn.forgotten')} <a href="/docs/">{t('logIn.docs')}</a>
        </p>
      </aside>
      <main>
        <LogInForm ended={ended} />
      </main>
    </div>
  );
}

function LogInForm({ ended }: { ended: boolean }) {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>();
  const logIn = useLogIn();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const [note] = useState(readFrontNote);
  useEffect(forgetFrontNote, []);
  const fault = (value: string, text: string) => asked && value.trim() === '' && <FieldFault text={text} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (name.trim() !== '' && password !== '') logIn.mutate({ name: name.trim(), password });
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2>{t('logIn.title')}</h2>
      {note !== null && <Note title={note} />}
      {ended && note === null && <Note kind="warning" title={t('logIn.ended')} />}
      <TextInput
        label={t('logIn.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fault(name, t('logIn.nameMissing'))}
        autoComplete="username"
        ref={first}
      />
      <PasswordInput
        label={t('logIn.password')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={fault(password, t('logIn.passwordMissing'))}
        autoComplete="current-password"
      />
      {logIn.isError && <ErrorNote error={logIn.error} />}
      <div className="act">
        <Button type="submit" variant="filled" loading={logIn.isPending}>
          {t('logIn.submit')}
        </Button>
      </div>
    </form>
  );
}
