import { useTranslation } from 'react-i18next';
import { clip } from '#common/clip.ts';
import type { TagQuality, TagValue } from '#common/model/tag.ts';
import { Chip } from '#ui/chip.tsx';
import { measureText } from '#ui/quantity.ts';
import type { ShapeName } from '#ui/shape.tsx';
import { isUnset } from './tag-rows.ts';

const SHAPES = { good: 'running', uncertain: 'advisory', bad: 'warning' } as const satisfies Record<
  TagQuality,
  ShapeName
>;

/** Shape and word; not read yet, and not written yet, is unknown. */
export function Quality({ value }: { value: TagValue | undefined }) {
  const { t } = useTranslation();
  if (value === undefined || isUnset(value))
    return (
      <Chip shape="unknown" quiet>
        {t(value === undefined ? 'data.quality.unknown' : 'data.quality.unset')}
      </Chip>
    );
  return <Chip shape={SHAPES[value.quality]}>{t(`data.quality.${value.quality}`)}</Chip>;
}

const CHARS_MAX = 200;

/** A value for display: grouped numbers, unchanged texts, anything else as JSON. */
export function plainValue(value: unknown, locale: string): string {
  if (typeof value === 'number') return measureText(value, locale);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return clip(text, CHARS_MAX);
}

/** The value with its unit; a dash if there is none, never 0. */
export function ValueText({ value }: { value: TagValue | undefined }) {
  const { i18n } = useTranslation();
  if (value === undefined || value.quality === 'bad' || value.value === null) return <span className="t3">–</span>;
  return (
    <span className="cut">
      <b className="figure">{plainValue(value.value, i18n.language)}</b>{' '}
      {value.unit !== '' && <span className="t3">{value.unit}</span>}
    </span>
  );
}
