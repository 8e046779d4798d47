import { useTranslation } from 'react-i18next';
import type { EgressAnswer, EgressEventDetail } from '#common/model/egress.ts';
import { clockTime } from '#ui/format.ts';
import { durationText, numberText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { Moment } from '#ui/time.tsx';
import { statusText } from './http-status.ts';

/** The attempts of an event, oldest first, each with its result and the wait for the next one. */
export function TriesList({ event }: { event: EgressEventDetail }) {
  const { t } = useTranslation();
  const { tries, attempts, nextTryAt } = event;
  const skipped = attempts - tries.length;
  const [first, ...others] = tries;
  return (
    <section aria-label={t('egressMany.tries.title')}>
      <h3>{t('egressMany.tries.title')}</h3>
      {first === undefined ? (
        <p className="t2">{t('egressMany.tries.none')}</p>
      ) : (
        <ol className="tries">
          <Try one={first} next={skipped > 0 ? null : waitText(first, others[0])} />
          {skipped > 0 && <li className="t3">{t('egressMany.tries.skipped', { count: skipped })}</li>}
          {others.map((one, place) => (
            <Try key={one.at} one={one} next={waitText(one, others[place + 1])} />
          ))}
        </ol>
      )}
      {nextTryAt !== null && event.state === 'queued' && (
        <p className="t2">{t('egressMany.tries.nextAt', { time: clockTime(new Date(nextTryAt)) })}</p>
      )}
    </section>
  );
}

/** How long the next attempt was waited for; null: there was none. */
function waitText({ at, durationMs }: EgressAnswer, next: EgressAnswer | undefined): string | null {
  if (next === undefined) return null;
  return durationText(Math.max(0, (Date.parse(next.at) - Date.parse(at) - durationMs) / 1000));
}

function Try({ one: { at, status, text, durationMs }, next }: { one: EgressAnswer; next: string | null }) {
  const { t, i18n } = useTranslation();
  return (
    <li>
      <Shape name={status === null ? 'alarm' : 'warning'} small />
      <Moment iso={at} precise />
      <span className="two grow">
        <b>{status === null ? t('egress.noAnswer') : statusText(status)}</b>
        {text !== '' && <small className="break">{text}</small>}
        {next !== null && <small className="t3">{t('egressMany.tries.next', { time: next })}</small>}
      </span>
      <span className="t2 nowrap">
        {t('egressMany.tries.took', { ms: numberText(Math.round(durationMs), i18n.language) })}
      </span>
    </li>
  );
}
