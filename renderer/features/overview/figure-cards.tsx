import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { type Figure, type TrafficOverview, type Usual, USUAL_DAYS_MIN } from '#common/model/traffic.ts';
import { useEgress } from '#api/egress-queries.ts';
import { usePermission } from '#api/session.ts';
import { BandGauge, isUnusual } from '#ui/band-gauge.tsx';
import { Panel } from '#ui/panel.tsx';
import { bytesText, durationText, numberText } from '#ui/quantity.ts';
import { refusedFigure } from './overview-view.ts';

/** The four figures that show whether today is a normal day. */
export function FigureCards({ traffic }: { traffic: TrafficOverview }) {
  const { t, i18n } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const number = (value: number, digits = 0) => numberText(value, i18n.language, digits);
  const { callsPerSecond, p99Ms, calls, refused, inFlight, p50Ms, usualDays } = traffic;
  const share = refusedFigure(traffic);
  const refusedOf = t('overviewPage.refusedOf', { refused: number(refused), calls: number(calls) });
  const learning = t('overviewPage.usualLater', { days: Math.min(usualDays, USUAL_DAYS_MIN), needed: USUAL_DAYS_MIN });
  return (
    <div className="cards">
      <Card
        label={t('overviewPage.calls')}
        figure={callsPerSecond}
        unit="/s"
        text={(value) => number(value, 1)}
        abnormal="either"
        foot={usualText(callsPerSecond.usual, learning, (usual) =>
          t('overviewPage.usualRange', { low: number(usual.low, 1), high: number(usual.high, 1), unit: '/s' }),
        )}
        side={inFlight !== null && t('overviewPage.inFlight', { count: inFlight })}
      />
      <Card
        label={t('overviewPage.refused')}
        figure={share}
        unit="%"
        text={(value) => number(value, 1)}
        abnormal="above"
        foot={
          share.isFixed ? `${refusedOf}, ${t('overviewPage.refusedLimit', { high: share.usual?.high })}` : refusedOf
        }
        side={mayAudit && refused > 0 && <Link href="/journal?show=refusal">{t('overviewPage.why')}</Link>}
      />
      <Card
        label={t('overviewPage.slowest')}
        figure={p99Ms}
        unit="ms"
        text={(value) => number(value, value < 10 ? 1 : 0)}
        abnormal="above"
        foot={usualText(p99Ms.usual, 'p99', (usual) =>
          t('overviewPage.usualUnder', { high: number(usual.high), unit: 'ms' }),
        )}
        side={p50Ms !== null && `p50 ${number(p50Ms, p50Ms < 10 ? 1 : 0)} ms`}
      />
      <EgressCard />
    </div>
  );
}

function usualText(usual: Usual | null, unknown: string, text: (usual: Usual) => string): string {
  return usual === null ? unknown : text(usual);
}

interface CardProps {
  label: string;
  figure: Figure;
  unit: string;
  text: (value: number) => string;
  abnormal: 'above' | 'either';
  foot: ReactNode;
  side: ReactNode;
}

function Card({ label, figure, unit, text, abnormal, foot, side }: CardProps) {
  const { value, usual } = figure;
  const out = value !== null && isUnusual(value, usual, abnormal);
  return (
    <Panel className={out ? 'card out' : 'card'}>
      <h2 className="label">{label}</h2>
      <div className="row">
        <span className="value">
          {value === null ? '–' : text(value)} <small>{unit}</small>
        </span>
        {value !== null && usual !== null && (
          <BandGauge label={label} text={`${text(value)} ${unit}`} {...{ value, usual, abnormal }} />
        )}
        {usual === null && <span className="foot side">{side}</span>}
      </div>
      <div className="row foot">
        <span className="grow">{foot}</span>
        {usual !== null && <span className="nowrap">{side}</span>}
      </div>
    </Panel>
  );
}

/** From here on the buffer will be full soon enough for a coloured warning. */
const SOON_SECONDS = 24 * 3600;

function EgressCard() {
  const { t, i18n } = useTranslation();
  const view = useEgress().data;
  const buffer = view?.buffer;
  const waiting = view?.targets.reduce((sum, { queued }) => sum + queued, 0) ?? null;
  const full = buffer?.fullInSeconds ?? null;
  const soon = full !== null && full < SOON_SECONDS;
  return (
    <Panel className={soon ? 'card out' : 'card'}>
      <h2 className="label">
        <Link href="/store-forward">{t('nav.storeForward')}</Link>
      </h2>
      <div className="row">
        <span className="value">
          {waiting === null ? '–' : numberText(waiting, i18n.language)}{' '}
          <small>{t('overviewPage.events', { count: waiting ?? 0 })}</small>
        </span>
        {buffer && (
          <BandGauge
            label={t('nav.storeForward')}
            value={(buffer.bytes / buffer.bytesMax) * 100}
            usual={{ low: 0, high: 80 }}
            abnormal="above"
            text={bytesText(buffer.bytes, i18n.language)}
          />
        )}
      </div>
      <div className="row foot">
        <span className="grow">
          {full === null ? (
            t('overviewPage.notFilling')
          ) : (
            <b className={soon ? 'alarm-text' : ''}>{t('overviewPage.fullIn', { time: durationText(full) })}</b>
          )}
        </span>
        {buffer && (
          <span className="nowrap">
            {t('overviewPage.bytesOf', {
              bytes: bytesText(buffer.bytes, i18n.language),
              max: bytesText(buffer.bytesMax, i18n.language),
            })}
          </span>
        )}
      </div>
    </Panel>
  );
}
