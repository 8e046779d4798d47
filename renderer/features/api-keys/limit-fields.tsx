import { useTranslation } from 'react-i18next';
import { LimitMatcher } from '#common/limits/limit-matcher.ts';
import type { Scope } from '#common/scopes.ts';
import { useTags } from '#api/data-queries.ts';
import { AreaField } from '#ui/form-fields.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Segments } from '#ui/segments.tsx';
import { entriesOf, isTagScope, LIMIT_EXAMPLES, type LimitTexts, tagEntries } from './limit-entries.ts';

/** Tags in the list to choose from; further ones are typed. */
const CHOICES_MAX = 500;
const NAMES_SHOWN_MAX = 5;

interface Props {
  project: string;
  scopes: readonly Scope[];
  texts: LimitTexts;
  onChange: (texts: LimitTexts) => void;
}

/** The limits of a key: one list for each of its scopes, and the addresses. */
export function LimitFields({ project, scopes, texts, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <section className="stack" aria-label={t('keyLimits.heading')}>
      <h3>{t('keyLimits.heading')}</h3>
      <p className="t2">{t('keyLimits.intro')}</p>
      {([...scopes, 'addresses'] as const).map((name) => (
        <LimitField
          key={name}
          project={project}
          name={name}
          text={texts[name] ?? null}
          onChange={(text) => onChange({ ...texts, [name]: text })}
        />
      ))}
    </section>
  );
}

interface FieldProps {
  project: string;
  name: Scope | 'addresses';
  text: string | null;
  onChange: (text: string | null) => void;
}

function LimitField({ project, name, text, onChange }: FieldProps) {
  const { t } = useTranslation();
  const label = name === 'addresses' ? t('keyLimits.addresses') : name;
  const every = name === 'addresses' ? t('keyLimits.anyAddress') : t('keyLimits.every');
  return (
    <div className="stack">
      <div className="row wrap">
        <span className={name === 'addresses' ? 'strong grow' : 'mono strong grow'}>{label}</span>
        <Segments
          label={label}
          value={text === null ? 'every' : 'only'}
          options={[
            { value: 'every', label: every },
            { value: 'only', label: t('keyLimits.only') },
          ]}
          onChange={(chosen) => onChange(chosen === 'every' ? null : (text ?? ''))}
        />
      </div>
      {text !== null && (
        <AreaField
          label={t('keyLimits.entries', { name: label })}
          help={t('keyLimits.oneEach', { example: LIMIT_EXAMPLES[name] })}
          rows={3}
          mono
          value={text}
          onChange={onChange}
        />
      )}
      {text !== null && isTagScope(name) && (
        <TagChoice project={project} label={label} text={text} onChange={onChange} />
      )}
    </div>
  );
}

/** Adds tags and folders that exist, and says which tags the entries cover. */
function TagChoice({
  project,
  label,
  text,
  onChange,
}: Omit<FieldProps, 'name' | 'text'> & { label: string; text: string }) {
  const { t } = useTranslation();
  const paths = useTags(project).data?.map(({ path }) => path) ?? [];
  if (paths.length === 0) return null;
  const entries = entriesOf(text);
  const matcher = new LimitMatcher(entries);
  const covered = paths.filter((path) => matcher.covers(path));
  const names = covered.slice(0, NAMES_SHOWN_MAX).join(', ') + (covered.length > NAMES_SHOWN_MAX ? ' …' : '');
  const choices = tagEntries(paths).filter((entry) => !entries.includes(entry));
  return (
    <>
      <NativeSelect
        label={t('keyLimits.add', { name: label })}
        value=""
        options={[
          { value: '', label: t('keyLimits.addFirst') },
          ...choices.slice(0, CHOICES_MAX).map((entry) => ({ value: entry, label: entry })),
        ]}
        onChange={(entry) => entry !== '' && onChange([...entries, entry].join('\n'))}
      />
      <p aria-live="polite">
        {covered.length === 0
          ? t('keyLimits.coversNone', { count: paths.length })
          : t('keyLimits.covers', { covered: covered.length, count: paths.length, names })}
      </p>
    </>
  );
}
