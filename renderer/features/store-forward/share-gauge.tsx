import { useTranslation } from 'react-i18next';
import type { EgressBuffer, EgressTarget } from '#common/model/egress.ts';
import { percentText } from '#ui/quantity.ts';
import { targetName } from './target-view.ts';

/** A target's use of the buffer. The band ends where the alarm begins. */
const ALARM_SHARE = 0.8;

export function ShareGauge({ target, buffer }: { target: EgressTarget; buffer: EgressBuffer }) {
  const { t, i18n } = useTranslation();
  const { name } = targetName(target.target);
  const share = shareOf(target, buffer);
  const text = percentText(share, i18n.language);
  const label = t('egress.shareOf', { name, share: text });
  return (
    <span className="gauge">
      <meter className="visually-hidden" aria-label={label} min={0} max={100} value={share * 100} />
      <span
        className={share >= ALARM_SHARE ? 'band band-pointer over' : 'band band-pointer'}
        aria-hidden
        style={{ '--value': `${(share * 100).toFixed(1)}%`, '--limit': `${ALARM_SHARE * 100}%` } as GaugeStyle}
      />
      <span className="t2 xs nowrap">{text}</span>
    </span>
  );
}

interface GaugeStyle extends React.CSSProperties {
  '--value': string;
  '--limit': string;
}

/** The share of the limit with the higher fill level: bytes or events. */
function shareOf({ bytes, queued, dead }: EgressTarget, { bytesMax, eventsMax }: EgressBuffer): number {
  return Math.min(1, Math.max(bytes / bytesMax, (queued + dead) / eventsMax));
}
