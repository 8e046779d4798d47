import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { limitsInWords } from './limits-in-words.ts';
import { SOURCE_FIELDS } from './tag-fields.ts';

/** The properties of a tag: type and unit, source of its values, and recording. */
export function TagFacts({ tag }: { tag: TagDefinition }) {
  const { t, i18n } = useTranslation();
  const { type, unit, source, writable, history } = tag;
  const limits = limitsInWords(tag.writeLimits, t, i18n.language);
  const given: Record<string, unknown> = source;
  return (
    <dl className="facts">
      <dt>{t('data.field.type')}</dt>
      <dd>
        {t(`data.type.${type}`)}
        {unit !== '' && `, ${unit}`}
      </dd>
      <dt>{t('data.field.provider')}</dt>
      <dd>{t(`data.provider.${source.provider}`)}</dd>
      {SOURCE_FIELDS[source.provider].map(({ name }) => {
        const text = factText(given[name]);
        if (text === '') return null;
        return (
          <div className="same" key={name}>
            <dt>{t(`data.field.${name}`)}</dt>
            <dd className="mono">{text}</dd>
          </div>
        );
      })}
      <dt>{t('data.field.writable')}</dt>
      <dd>{writable ? t('data.yes') : t('data.no')}</dd>
      {writable && (
        <>
          <dt>{t('writeLimits.title')}</dt>
          <dd>{limits === '' ? t('writeLimits.none') : limits}</dd>
        </>
      )}
      {tag.stopsWrites === true && (
        <>
          <dt>{t('writeLimits.stops')}</dt>
          <dd>{t('writeLimits.stopsFact')}</dd>
        </>
      )}
      {history !== null && (
        <>
          <dt>{t('data.field.recorded')}</dt>
          <dd>{t('data.tags.recorded', history)}</dd>
        </>
      )}
    </dl>
  );
}

function factText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
