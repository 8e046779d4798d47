import { Autocomplete } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import { useTranslation } from 'react-i18next';
import { useTags } from '#api/data-queries.ts';
import { isTagPattern, tagMatches } from '#common/model/tag-pattern.ts';
import { useFormContext } from './form-context.tsx';
import type { InputProps } from './input-props.ts';

const OFFERED_MAX = 30;

/** A tag path: those of the project are suggested during typing; for a pattern, the number of matches is shown. */
export function PickedText({ wiring, value, placeholder, readOnly, onChange }: InputProps) {
  const { t } = useTranslation();
  const { project } = useFormContext();
  const paths = useTags(project).data?.map(({ path }) => path) ?? [];
  const taken = isTagPattern(value) ? paths.filter((path) => tagMatches(value, path)).length : null;
  const unknown = taken === null && value !== '' && !value.includes('{{') && paths.length > 0 && !paths.includes(value);
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
    </>
  );
}
