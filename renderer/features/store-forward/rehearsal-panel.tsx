import { useTranslation } from 'react-i18next';
import type { EgressTarget, Rehearsal } from '#common/model/egress.ts';
import { roundMax } from '#ui/chart-points.ts';
import { clockTime } from '#ui/format.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { LineChart } from '#ui/line-chart.tsx';
import { useNow } from '#ui/now.ts';
import { durationText, numberText } from '#ui/quantity.ts';
import { ProgressLine } from '#ui/progress-line.tsx';
import { Shape, type ShapeName } from '#ui/shape.tsx';
import { Moment } from '#ui/time.tsx';
import { proofOf, type Clause, type Proof } from './proof.ts';
import { targetName } from './target-view.ts';

interface Props {
  target: EgressTarget;
  onClose: (startedAt: string) => void;
}

/** The progress of a rehearsal: blocked, draining, and the proof at its end. */
export function RehearsalPanel({ target, onClose }: Props) {
  const { t } = useTranslation();
  const { rehearsal } = target;
  if (rehearsal === null) return null;
  const { name } = targetName(target.target);
  const broken = rehearsal.state === 'done' && proofOf(rehearsal).verdict === 'broken';
  return (
    <section className={`panel urgent ${broken ? 'alarm' : 'calm'}`} aria-label={t('egress.rehearsal.title', { name })}>
      <div className="urgent-left">
        <div className="urgent-head">
          <Shape name={shapeOf(rehearsal)} />
          <div className="grow">
            <h2>{t('egress.rehearsal.title', { name })}</h2>
            <Progress rehearsal={rehearsal} name={name} />
          </div>
          {rehearsal.state === 'done' && (
            <IconButton
              icon="close"
              label={t('egress.rehearsal.close', { name })}
              onClick={() => onClose(rehearsal.startedAt)}
            />
          )}
        </div>
        {rehearsal.state === 'done' ? <ProofLine rehearsal={rehearsal} /> : <Figures rehearsal={rehearsal} />}
        <p className="t3 urgent-indent">
          {t('egress.rehearsal.by', { name: rehearsal.by })}, <Moment iso={rehearsal.startedAt} />
        </p>
      </div>
      <div className="urgent-right">
        <RehearsalChart rehearsal={rehearsal} name={name} />
      </div>
    </section>
  );
}

const DONE_SHAPES: Record<Proof['verdict'], ShapeName> = { proven: 'passed', empty: 'unknown', broken: 'alarm' };

function shapeOf(rehearsal: Rehearsal): ShapeName {
  if (rehearsal.state === 'done') return DONE_SHAPES[proofOf(rehearsal).verdict];
  return rehearsal.state === 'blocked' ? 'paused' : 'starting';
}

/** Announced to screen readers at each change of state; the countdown itself is not. */
function Progress({ rehearsal, name }: { rehearsal: Rehearsal; name: string }) {
  const { t } = useTranslation();
  switch (rehearsal.state) {
    case 'blocked':
      return <Countdown until={rehearsal.blockedUntil} name={name} />;
    case 'draining':
      return (
        <>
          <output>{t('egress.rehearsal.draining', { name })}</output>
          <Drained rehearsal={rehearsal} name={name} />
        </>
      );
    case 'done':
      return <output>{t(`egress.rehearsal.${proofOf(rehearsal).verdict}`, { name })}</output>;
  }
}

function Drained({ rehearsal, name }: { rehearsal: Rehearsal; name: string }) {
  const { t, i18n } = useTranslation();
  const of = rehearsal.accepted + rehearsal.waitedBefore;
  const done = Math.max(0, of - rehearsal.waiting);
  const number = (value: number) => numberText(value, i18n.language);
  const text = t('egress.drained', { done: number(done), of: number(of), left: number(rehearsal.waiting) });
  return <ProgressLine label={name} done={done} of={of} text={text} />;
}

function Countdown({ until, name }: { until: string; name: string }) {
  const { t } = useTranslation();
  const now = useNow();
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / 1000));
  return <p role="timer">{t('egress.rehearsal.blocked', { name, time: durationText(seconds) })}</p>;
}

function Figures({ rehearsal }: { rehearsal: Rehearsal }) {
  const { t, i18n } = useTranslation();
  const figures = ['accepted', 'waiting', 'delivered'] as const;
  return (
    <dl className="figures urgent-indent">
      {figures.map((name) => (
        <div key={name}>
          <dt>{t(`egress.rehearsal.${name}`)}</dt>
          <dd>{numberText(rehearsal[name], i18n.language)}</dd>
        </div>
      ))}
      <div>
        <dt>{t('egress.rehearsal.most')}</dt>
        <dd>{numberText(rehearsal.backlogMost, i18n.language)}</dd>
      </div>
    </dl>
  );
}

function ProofLine({ rehearsal }: { rehearsal: Rehearsal }) {
  const { clauses } = proofOf(rehearsal);
  return (
    <p className="proof urgent-indent">
      {clauses.map((clause, index) => (
        <span key={clause.text}>
          {index > 0 && ', '}
          <Said clause={clause} />
        </span>
      ))}
    </p>
  );
}

function Said({ clause }: { clause: Clause }) {
  const { t, i18n } = useTranslation();
  const text = t(`egress.rehearsal.clause.${clause.text}`, { events: numberText(clause.count, i18n.language) });
  return clause.wrong ? <b className="alarm-text">{text}</b> : text;
}

/** For the text above the line. */
const HEADROOM = 1.25;

function RehearsalChart({ rehearsal, name }: { rehearsal: Rehearsal; name: string }) {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  const points = rehearsal.samples.map(({ at, waiting }) => ({ at: Date.parse(at), value: waiting }));
  const from = Date.parse(rehearsal.startedAt);
  const blockedUntil = Date.parse(rehearsal.blockedUntil);
  const to = Math.max(blockedUntil + (blockedUntil - from) * 0.25, points.at(-1)?.at ?? 0);
  const max = roundMax(rehearsal.backlogMost);
  return (
    <LineChart
      title={t('egress.chart.waiting')}
      label={t('egress.chart.rehearsal', {
        name,
        now: numberText(rehearsal.waiting, locale),
        most: numberText(rehearsal.backlogMost, locale),
      })}
      frame={{ from, to, max: max * HEADROOM }}
      points={points}
      mark={{ at: blockedUntil, text: t('egress.chart.blocked', { time: clockTime(new Date(blockedUntil)) }) }}
      yTicks={[0, max / 2, max].map((value) => ({ value, text: numberText(value, locale) }))}
    />
  );
}
