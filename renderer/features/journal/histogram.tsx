import { Button } from '@mantine/core';
import { memo, useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CALL_OUTCOMES, type CallOutcome } from '#common/model/call-outcome.ts';
import { type Bar, barsOf, type JournalSummary } from '#api/journal-summary.ts';
import { clockTime, shortDate } from '#ui/format.ts';
import { durationText } from '#ui/quantity.ts';
import { Shape, type ShapeName } from '#ui/shape.tsx';
import type { JournalAddress } from './use-journal-address.ts';
import { brushed } from './brush.ts';

const HEIGHT = 100;
/** Minimum height of a part with any calls: a few refusals among thousands of calls must be visible. */
const SEEN_MIN = 5;
const SHAPES = { passed: 'passed', refused: 'refused', failed: 'error' } satisfies Record<CallOutcome, ShapeName>;
/** Order of the parts of a bar, from the axis upwards. */
const STACK = ['failed', 'refused', 'passed'] as const;

interface Props {
  summary: JournalSummary | undefined;
  address: JournalAddress;
}

/** Calls during the range: dragging across the bars selects a part of it. The numbers filter by outcome. */
export const Histogram = memo(function Histogram({ summary, address }: Props) {
  const { t, i18n } = useTranslation();
  const { outcome, range, wide, change } = address;
  const bars = summary === undefined ? [] : barsOf(summary);
  const most = Math.max(0, ...bars.map(callsOf));
  const zoom = (from: string, to: string) => change({ range: 'own', from, to, wide: wide || range.name });
  return (
    <section className="panel histogram" aria-label={t('journalPage.picture.title')}>
      <div className="row wrap">
        {CALL_OUTCOMES.map((one) => (
          <button
            key={one}
            type="button"
            className="facet-value outcome"
            aria-pressed={outcome === one}
            onClick={() => change({ outcome: outcome === one ? '' : one })}
          >
            <i className={`swatch ${one}`} />
            <Shape name={SHAPES[one]} small />
            {t(`journalPage.outcomes.${one}`)}
            <b>{summary === undefined ? '…' : summary.outcomes[one].toLocaleString(i18n.language)}</b>
          </button>
        ))}
        <span className="grow" />
        {range.name === 'own' && wide !== '' && (
          <Button variant="subtle" onClick={() => change({ range: wide, from: '', to: '', wide: '' })}>
            {t('journalPage.picture.back')}
          </Button>
        )}
        {most > 0 && summary !== undefined && (
          <span className="t2">
            {t('journalPage.picture.most', {
              calls: most.toLocaleString(i18n.language),
              step: durationText(summary.stepMs / 1000),
            })}
          </span>
        )}
      </div>
      <Bars bars={bars} most={most} summary={summary} onZoom={zoom} />
    </section>
  );
});

const callsOf = ({ passed, refused, failed }: Bar) => passed + refused + failed;

interface BarsProps {
  bars: readonly Bar[];
  most: number;
  summary: JournalSummary | undefined;
  onZoom: (from: string, to: string) => void;
}

function Bars({ bars, most, summary, onZoom }: BarsProps) {
  const { t, i18n } = useTranslation();
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const area = useRef<SVGSVGElement>(null);
  const place = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    const at = Math.floor(((event.clientX - box.left) / box.width) * bars.length);
    return Math.min(bars.length - 1, Math.max(0, at));
  };
  const end = () => {
    setDrag(null);
    const chosen = drag && summary && brushed(bars, drag, summary.stepMs);
    if (chosen) onZoom(chosen.from, chosen.to);
  };
  const first = bars[0];
  const last = bars.at(-1);
  return (
    <figure
      className="bars-figure"
      aria-label={summary === undefined ? t('common.loading') : t('journalPage.picture.text', { ...summary.outcomes })}
    >
      <svg
        ref={area}
        className="bars"
        viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          if (bars.length === 0 || event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: place(event), to: place(event) });
        }}
        onPointerMove={(event) => setDrag((before) => before && { ...before, to: place(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        {bars.map((bar, index) => (
          <Stack key={bar.at} bar={bar} index={index} most={most} />
        ))}
        {drag && (
          <rect
            className="brush"
            x={Math.min(drag.from, drag.to)}
            width={Math.abs(drag.to - drag.from) + 1}
            y={0}
            height={HEIGHT}
          />
        )}
      </svg>
      <div className="bars-axis t2">
        <span>{first && timeText(new Date(first.at), i18n.language)}</span>
        <span>{most > 0 ? t('journalPage.picture.help') : summary && t('journalPage.picture.none')}</span>
        <span>{last && summary && timeText(new Date(Date.parse(last.at) + summary.stepMs), i18n.language)}</span>
      </div>
    </figure>
  );
}

function Stack({ bar, index, most }: { bar: Bar; index: number; most: number }) {
  let top = HEIGHT;
  return STACK.filter((one) => bar[one] > 0).map((one) => {
    const height = Math.max(SEEN_MIN, (bar[one] / most) * HEIGHT);
    top -= height;
    return <rect key={one} className={one} x={index + 0.1} width={0.8} y={Math.max(0, top)} height={height} />;
  });
}

function timeText(time: Date, locale: string): string {
  return `${shortDate(time, locale)}, ${clockTime(time).slice(0, 5)}`;
}
