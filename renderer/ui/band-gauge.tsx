import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Usual } from '#common/model/traffic.ts';

interface GaugeStyle extends CSSProperties {
  '--low': string;
  '--high': string;
  '--value': string;
}

/** Beyond the larger of value and usual range, so that the pointer is never at the end. */
const ROOM = 1.4;

/**
 * Says "normal or not" before the number is read: a track, the usual range, a pointer. The pointer has a colour only
 * outside of the range. Without a usual range there is nothing to compare with, and no gauge.
 */
export function BandGauge({
  label,
  value,
  usual,
  text,
  abnormal,
}: {
  label: string;
  value: number;
  usual: Usual;
  /** The value with its unit, and the usual range, as text. */
  text: string;
  /** Which way is abnormal: more than usual (refusals, latency) or either way (calls). */
  abnormal: 'above' | 'either';
}) {
  const { t } = useTranslation();
  const top = Math.max(value, usual.high) * ROOM || 1;
  const share = (amount: number) => `${((amount / top) * 100).toFixed(1)}%`;
  const out = isUnusual(value, usual, abnormal);
  const style: GaugeStyle = {
    '--low': share(usual.low),
    '--high': share(usual.high),
    '--value': share(value),
  };
  return (
    <span className={out ? 'usual-band band-pointer out' : 'usual-band band-pointer'} style={style}>
      <meter
        className="visually-hidden"
        aria-label={label}
        aria-valuetext={out ? `${text}, ${t('overviewPage.unusual')}` : text}
        min={0}
        max={top}
        value={value}
      />
    </span>
  );
}

export function isUnusual(value: number, usual: Usual | null, abnormal: 'above' | 'either'): boolean {
  if (usual === null) return false;
  return value > usual.high || (abnormal === 'either' && value < usual.low);
}
