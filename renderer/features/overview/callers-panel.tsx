import { useTranslation } from 'react-i18next';
import type { CallerTraffic } from '#common/model/traffic.ts';
import { useIsCurrent } from '#api/queries.ts';
import { Panel } from '#ui/panel.tsx';
import { durationText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';

const SHOWN = 30;

/** The latest callers, and overdue ones. */
export function CallersPanel({ callers }: { callers: readonly CallerTraffic[] }) {
  const { t } = useTranslation();
  const isCurrent = useIsCurrent();
  const known = callers.filter(({ lastCallAt }) => lastCallAt !== null);
  return (
    <Panel title={t('overviewPage.callers')} side={<span className="t3">{t('overviewPage.silentFirst')}</span>}>
      {known.length === 0 && <p className="body t2">{t('overviewPage.noCallers')}</p>}
      <ul className="list callers">
        {known.slice(0, SHOWN).map((caller) => (
          <li key={caller.keyId}>
            {caller.silent ? (
              <Shape name="warning" label={t('overviewPage.silent')} />
            ) : !isCurrent ? (
              <Shape name="unknown" label={t('overviewPage.unknownNow')} small />
            ) : (
              <Shape name="running" label={t('overviewPage.calling')} small />
            )}
            <span className="two grow">
              {caller.name}
              <small className="mono">{caller.ip}</small>
            </span>
            <span className="two number-cell">
              <Ago iso={caller.lastCallAt} />
              <small>
                {caller.usualGapSeconds === null
                  ? ''
                  : t('overviewPage.usualEvery', { time: durationText(Math.max(1, caller.usualGapSeconds)) })}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
