import { useTranslation } from 'react-i18next';
import { useFormContext } from './form-context.tsx';
import { lineOf } from './json-line.ts';

/**
 * The placeholder of an empty field: the value that then applies, else an example of the kind, which is marked as one.
 */
export function usePlaceholder(): (preset: unknown, path: string) => string {
  const { t } = useTranslation();
  const { sampleAt, readOnly } = useFormContext();
  return (preset, path) => {
    if (preset !== undefined) return typeof preset === 'string' ? preset : lineOf(preset);
    const sample = readOnly ? undefined : sampleAt(path);
    if (sample === undefined || sample === '') return '';
    return t('editorForm.example', { value: typeof sample === 'string' ? sample : lineOf(sample) });
  };
}
