import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useCreateProject, useProjects } from '#api/queries.ts';
import { rememberSetup, type SetupProgress } from '#api/setup-progress.ts';
import { useMakeSample } from '#api/setup-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { TextField } from '#ui/form-fields.tsx';
import { proposedId } from '#ui/id-from.ts';

const CHOICES = ['sample', 'empty', 'none'] as const;
type Choice = (typeof CHOICES)[number];

const NAME_CHARS_MAX = 64;

/** Step 3: the first project. */
export function ProjectStep({ progress }: { progress: SetupProgress }) {
  const { t } = useTranslation();
  const heading = useFirstFocus<HTMLHeadingElement>();
  const [, go] = useLocation();
  const projects = useProjects().data ?? [];
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const sample = useMakeSample();
  const create = useCreateProject();
  const choice = chosen ?? (projects.length === 0 ? 'sample' : 'none');
  const plain = name.trim();
  const nameOk = plain !== '' && plain.length <= NAME_CHARS_MAX;
  const end = (href: string) => {
    rememberSetup(null);
    go(href);
  };
  const callNext = (project: string) => rememberSetup({ ...progress, step: 'call', project });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (choice === 'none') return end('/');
    if (choice === 'sample') return sample.mutate(undefined, { onSuccess: ({ project }) => callNext(project.id) });
    const id = proposedId(plain, 'project', new Set(projects.map((project) => project.id)));
    if (nameOk) create.mutate({ id, name: plain }, { onSuccess: () => end('/pipelines') });
  };
  const error = choice === 'sample' ? sample.error : choice === 'empty' ? create.error : null;
  return (
    <form onSubmit={submit} noValidate>
      <div>
        <h2 tabIndex={-1} ref={heading}>
          {t('setupPage.project.heading')}
        </h2>
        <p className="t2">{t('setupPage.project.lead')}</p>
      </div>
      {projects.length > 0 && (
        <p>{t('setupPage.project.there', { names: projects.map((project) => project.name).join(', ') })}</p>
      )}
      <fieldset className="way-options">
        <legend className="visually-hidden">{t('setupPage.project.choice')}</legend>
        {CHOICES.map((one) => (
          <label key={one} className={one === choice ? 'way-option chosen' : 'way-option'}>
            <input type="radio" name="first-project" checked={one === choice} onChange={() => setChosen(one)} />
            <span className="two grow">
              <b>{t(`setupPage.project.${one}`)}</b>
              <small>{t(`setupPage.project.${one}Help`)}</small>
            </span>
            {one === 'sample' && <small className="t2 nowrap">{t('setupPage.project.recommended')}</small>}
          </label>
        ))}
      </fieldset>
      {choice === 'empty' && (
        <TextField
          label={t('setupPage.project.name')}
          help={t('setupPage.project.nameHelp')}
          value={name}
          onChange={setName}
          fault={asked && !nameOk ? t('setupPage.project.nameBad') : null}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
      <div className="act">
        <Button onClick={() => rememberSetup({ ...progress, step: 'address' })}>{t('setupPage.project.back')}</Button>
        <Button onClick={() => rememberSetup({ ...progress, later: true })}>{t('setupPage.later')}</Button>
        <span className="grow" />
        <Button type="submit" variant="filled" loading={sample.isPending || create.isPending}>
          {t(choice === 'sample' ? 'setupPage.project.submit' : 'setupPage.project.finish')}
        </Button>
      </div>
    </form>
  );
}
