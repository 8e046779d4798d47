import { useTranslation } from 'react-i18next';
import type { KeyDay } from '#common/model/traffic.ts';
import { numberText } from '#ui/quantity.ts';

const BAR = 4;
const STEP = 5;
const HEIGHT = 32;
/** Refused calls are drawn below this line, so that their position marks them and not only their colour. */
const BASE = 22;

/** One key, hour by hour: passed calls upwards, refused calls downwards, both with the same scale. */
export function DayBars({ day: { passed, refused } }: { day: KeyDay }) {
  const { t, i18n } = useTranslation();
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const text = (value: number) => numberText(value, i18n.language);
  const [allPassed, allRefused] = [sum(passed), sum(refused)];
  return (
    <span className="day-bars">
      <Bars passed={passed} refused={refused} />
      <span className="two">
        <span>{text(allPassed)}</span>
        {allRefused > 0 && <small>{t('keysPage.dayRefused', { count: allRefused, refused: text(allRefused) })}</small>}
      </span>
    </span>
  );
}

function Bars({ passed, refused }: Pick<KeyDay, 'passed' | 'refused'>) {
  const most = Math.max(1, ...passed.map((value) => value ?? 0), ...refused.map((value) => value ?? 0));
  const width = passed.length * STEP;
  const up = barsPath(passed, (value) => -Math.max(1, (value / most) * BASE));
  const down = barsPath(refused, (value) => Math.max(2, (value / most) * (HEIGHT - BASE)));
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true">
      <path className="base" d={`M0 ${BASE}H${width}`} />
      <path className="up" d={up} />
      <path className="down" d={down} />
    </svg>
  );
}

function barsPath(values: readonly (number | null)[], heightOf: (value: number) => number): string {
  return values
    .map((value, index) =>
      value === null || value === 0 ? '' : `M${index * STEP} ${BASE}v${heightOf(value).toFixed(1)}h${BAR}V${BASE}Z`,
    )
    .join('');
}
