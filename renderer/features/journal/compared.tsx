import { useTranslation } from 'react-i18next';
import { listOf } from '#common/errors/explanation.ts';
import type { Refusal } from '#common/model/audit.ts';

type Values = Refusal['compared'];

/** The values of the rule on the left, the sent ones beside them. */
const RULES = ['required', 'allowedIps', 'allowedOrigins', 'routeProject', 'maxPayloadSize', 'rate', 'limit'];
const SCOPES = ['required', 'held', 'missing'];
/** Shown as text elsewhere. */
const UNSAID = ['rights', 'revoked'];

/** The compared values, side by side. */
export function Compared({ values }: { values: Values }) {
  const { t } = useTranslation();
  const shown = Object.entries(values)
    .filter(([name, value]) => !UNSAID.includes(name) && value !== null && value !== '')
    .filter(([name]) => name !== 'missing' || values['required'] === undefined);
  // A key without any scope was compared as well.
  if (values['held'] === '') shown.push(['held', '']);
  if (shown.length === 0) return null;
  const entries = shown.toSorted(([a], [b]) => Number(RULES.includes(b)) - Number(RULES.includes(a)));
  return (
    <section className="stack tight">
      <h3 className="visually-hidden">{t('journal.compared')}</h3>
      <dl className="side-by-side">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`compared.${name}`, { defaultValue: name })}</dt>
            <dd>
              <Value name={name} value={value} missing={name === 'held' ? [] : listOf(values['missing'])} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Value({ name, value, missing }: { name: string; value: Values[string]; missing: readonly string[] }) {
  const { t, i18n } = useTranslation();
  if (!SCOPES.includes(name))
    return (
      <span className="mono break">
        {typeof value === 'number' ? value.toLocaleString(i18n.language) : String(value)}
      </span>
    );
  const scopes = listOf(value);
  if (scopes.length === 0) return <span className="t3">{t('errors.words.nothing')}</span>;
  return (
    <span className="tags">
      {scopes.map((scope) => (
        <span key={scope} className={missing.includes(scope) ? 'tag miss' : 'tag'}>
          {scope}
        </span>
      ))}
    </span>
  );
}
