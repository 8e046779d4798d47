import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import './templates.css';
import type { PipelineTemplate } from './template.ts';
import { TEMPLATES } from './templates.ts';

interface Props {
  chosen: string | null;
  onChoose: (template: PipelineTemplate | null) => void;
  /** Also shows an empty canvas (`null`). */
  withEmpty?: boolean;
}

/** Templates for a new pipeline, as a searchable list. */
export function TemplateGallery({ chosen, onChoose, withEmpty = false }: Props) {
  const { t } = useTranslation();
  const [find, setFind] = useState('');
  const name = useId();
  const found = TEMPLATES.map((template) => ({
    template,
    title: t(`templates.texts.${template.id}.title`),
    about: t(`templates.texts.${template.id}.about`),
  })).filter(({ template, title, about }) => template.id === chosen || fits(`${title} ${about}`, find));
  return (
    <div className="templates">
      <TextInput
        aria-label={t('templates.find')}
        placeholder={t('templates.find')}
        leftSection={<Icon name="search" />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        // Inside a form, Enter would create a pipeline.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <fieldset className="template-list">
        <legend className="visually-hidden">{t('templates.list')}</legend>
        {withEmpty && find === '' && (
          <Option name={name} isChosen={chosen === null} onChoose={() => onChoose(null)}>
            <b>{t('templates.empty')}</b>
            <small>{t('templates.emptyHelp')}</small>
          </Option>
        )}
        {found.map(({ template, title, about }) => (
          <Option key={template.id} name={name} isChosen={template.id === chosen} onChoose={() => onChoose(template)}>
            <b>{title}</b>
            <small>{about}</small>
            <Facts template={template} />
          </Option>
        ))}
      </fieldset>
      {found.length === 0 && <p className="t2">{t('templates.none')}</p>}
    </div>
  );
}

/** Every word occurs somewhere in the text. */
function fits(text: string, find: string): boolean {
  const searched = text.toLocaleLowerCase();
  return find
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

interface OptionProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

function Option({ name, isChosen, onChoose, children }: OptionProps) {
  return (
    <label className={isChosen ? 'template chosen' : 'template'}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className="two grow">{children}</span>
    </label>
  );
}

/** Its route, and the number of settings to fill in. */
function Facts({ template: { call, open } }: { template: PipelineTemplate }) {
  const { t } = useTranslation();
  return (
    <small className="t3">
      {call !== null && <span className="mono">{`${call.method} → ${call.reply.status}`}</span>}
      {call !== null && open.length > 0 && ' · '}
      {open.length > 0 && t('templates.open', { count: open.length })}
    </small>
  );
}
