import { Autocomplete, Button } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import { useTranslation } from 'react-i18next';
import { useSaveTag, useTags } from '#api/data-queries.ts';
import { isTagPattern, tagMatches } from '#common/model/tag-pattern.ts';
import { ErrorNote } from '../error-note.tsx';
import { useFormContext } from './form-context.tsx';
import type { InputProps } from './input-props.ts';

const OFFERED_MAX = 30;

/** A tag path: those of the project are suggested during typing; for a pattern, the number of matches is shown. */
export function PickedText({ wiring, value, placeholder, readOnly, onChange }: InputProps) {
  const { t } = useTranslation();
  const { project } = useFormContext();
  const tags = useTags(project).data;
  const paths = tags?.map(({ path }) => path) ?? [];
  const taken = isTagPattern(value) ? paths.filter((path) => tagMatches(value, path)).length : null;
  const unknown =
    taken === null && value !== '' && !value.includes('{{') && tags !== undefined && !paths.includes(value);
  return (
    <>
      <Autocomplete
        {...wiring}
        classNames={{ input: 'setting-input' }}
        data={paths}
        limit={OFFERED_MAX}
        value={value}
        placeholder={placeholder}
        readOnly={readOnly}
        spellCheck={false}
        autoComplete="off"
        comboboxProps={{ withinPortal: true }}
        onChange={onChange}
      />
      {taken !== null && <small className="t3">{t('editorForm.tagsTaken', { count: taken })}</small>}
      {unknown && <small className="t3">{t('editorForm.tagUnknown')}</small>}
      {unknown && !readOnly && <NewTag project={project} path={value.trim()} />}
    </>
  );
}

const TYPES = ['number', 'text', 'boolean'] as const;

/** Creates the tag in memory, without leaving the form; other sources are set on the page Data. */
function NewTag({ project, path }: { project: string; path: string }) {
  const { t } = useTranslation();
  const save = useSaveTag(project);
  const create = (type: (typeof TYPES)[number]) =>
    save.mutate({ tag: { path, type, source: { provider: 'memory' }, writable: true }, before: null });
  return (
    <fieldset className="new-tag row wrap" aria-label={t('editorForm.newTag')}>
      <span className="t2">{t('editorForm.newTag')}</span>
      {TYPES.map((type) => (
        <Button key={type} loading={save.isPending} onClick={() => create(type)}>
          {t(`data.type.${type}`)}
        </Button>
      ))}
      {save.isError && <ErrorNote error={save.error} />}
    </fieldset>
  );
}
