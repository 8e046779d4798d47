import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { LimitMatcher } from '#common/limits/limit-matcher.ts';
import type { LimitList } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';
import { useTags } from '#api/data-queries.ts';
import { AreaField, TextField } from '#ui/form-fields.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Segments } from '#ui/segments.tsx';
import { entriesOf, isTagScope, LIMIT_EXAMPLES, type LimitTexts, tagEntries, USE_LISTS } from './limit-entries.ts';

/** Tags in the list to choose from; further ones are typed. */
const CHOICES_MAX = 500;
const NAMES_SHOWN_MAX = 5;

interface Props {
  project: string;
  scopes: readonly Scope[];
  texts: LimitTexts;
  onChange: (texts: LimitTexts) => void;
}

/** The limits of a key: one list for each of its scopes, the addresses, the hours and the end. */
export function LimitFields({ project, scopes, texts, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <section className="stack" aria-label={t('keyLimits.heading')}>
      <h3>{t('keyLimits.heading')}</h3>
      <p className="t2">{t('keyLimits.intro')}</p>
      <LimitLists project={project} lists={[...scopes, ...USE_LISTS]} texts={texts} onChange={onChange} />
      <EndField text={texts.until ?? null} onChange={(until) => onChange({ ...texts, until })} />
      <RehearsalField on={texts.rehearsal === true} onChange={(rehearsal) => onChange({ ...texts, rehearsal })} />
    </section>
  );
}

/** One list of entries for each of `lists`. */
export function LimitLists({
  project,
  lists,
  texts,
  onChange,
}: Omit<Props, 'scopes'> & { lists: readonly LimitList[] }) {
  return lists.map((name) => (
    <LimitField
      key={name}
      project={project}
      name={name}
      text={texts[name] ?? null}
      onChange={(text) => onChange({ ...texts, [name]: text })}
    />
  ));
}

/** A scope is its own name. */
export function limitName(t: TFunction, name: string): string {
  return name === 'addresses' || name === 'hours' || name === 'until' || name === 'targets'
    ? t(`keyLimits.${name}`)
    : name;
}

interface FieldProps {
  project: string;
  name: LimitList;
  text: string | null;
  onChange: (text: string | null) => void;
}

function LimitField({ project, name, text, onChange }: FieldProps) {
  const { t } = useTranslation();
  const isUse = name === 'addresses' || name === 'hours' || name === 'targets';
  const label = limitName(t, name);
  const every = isUse ? t(`keyLimits.any.${name}`) : t('keyLimits.every');
  return (
    <div className="stack">
      <LimitChoice
        label={label}
        mono={!isUse}
        labels={[every, t('keyLimits.only')]}
        text={text}
        first=""
        onChange={onChange}
      />
      {text !== null && (
        <AreaField
          label={t('keyLimits.entries', { name: label })}
          help={t(name === 'hours' ? 'keyLimits.hoursHelp' : 'keyLimits.oneEach', { example: LIMIT_EXAMPLES[name] })}
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

interface ChoiceProps extends Omit<FieldProps, 'project' | 'name'> {
  label: string;
  mono?: boolean;
  labels: [none: string, limited: string];
  /** The text of a limit that is added. */
  first: string;
}

/** Whether there is a limit. */
function LimitChoice({ label, mono = false, labels: [none, limited], text, first, onChange }: ChoiceProps) {
  return (
    <div className="row wrap">
      <span className={mono ? 'mono strong grow' : 'strong grow'}>{label}</span>
      <Segments
        label={label}
        value={text === null ? 'none' : 'limited'}
        options={[
          { value: 'none', label: none },
          { value: 'limited', label: limited },
        ]}
        onChange={(chosen) => onChange(chosen === 'none' ? null : (text ?? first))}
      />
    </div>
  );
}

/** A key for maintenance ends by itself. */
function EndField({ text, onChange }: Pick<FieldProps, 'text' | 'onChange'>) {
  const { t } = useTranslation();
  const label = t('keyLimits.until');
  return (
    <div className="stack">
      <LimitChoice
        label={label}
        labels={[t('keyLimits.noEnd'), t('keyLimits.ends')]}
        text={text}
        first=""
        onChange={onChange}
      />
      {text !== null && (
        <TextField
          label={t('keyLimits.endsAt')}
          help={t('keyLimits.endsHelp')}
          type="datetime-local"
          value={text}
          onChange={onChange}
        />
      )}
    </div>
  );
}

/** Whether writes are simulated. */
function RehearsalField({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation();
  const label = t('keyLimits.rehearsal');
  return (
    <div className="stack">
      <div className="row wrap">
        <span className="strong grow">{label}</span>
        <Segments
          label={label}
          value={on ? 'simulated' : 'performed'}
          options={[
            { value: 'performed', label: t('keyLimits.performed') },
            { value: 'simulated', label: t('keyLimits.simulated') },
          ]}
          onChange={(chosen) => onChange(chosen === 'simulated')}
        />
      </div>
      {on && <p className="t2">{t('keyLimits.rehearsalHelp')}</p>}
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
