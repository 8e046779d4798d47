import { useTranslation } from 'react-i18next';
import { resultOf, shownValue, type Mapping, type Places } from './mapping.ts';

/** Below a field: its result for the message of the last run. */
export function Result({ text, places, mapping }: { text: string; places: Places; mapping: Mapping }) {
  const { t } = useTranslation();
  const result = resultOf(text, places, mapping);
  if (result === null) return null;
  return (
    <p className="setting-result">
      <span className="t3">{t('editorForm.mapping.result')}</span>{' '}
      {result.value === undefined ? (
        <span>{t('editorForm.mapping.nothing')}</span>
      ) : (
        <code className="mono">{shownValue(result.value)}</code>
      )}
    </p>
  );
}
