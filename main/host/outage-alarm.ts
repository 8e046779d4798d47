import { inEnglish, type Phrase, phrase } from '#common/alarms/phrase.ts';
import { localTime } from '#common/alarms/shown-values.ts';
import type { GatewayOutage, OutageCause } from '../contracts.ts';
import type { Alarms } from './alarms.ts';

const CODE = 'gateway_outage';
const CAUSES = {
  silent: phrase('outage_silent'),
  refused: phrase('outage_refused'),
  ended: phrase('outage_ended'),
} as const satisfies Record<OutageCause, Phrase>;

/** Routes did not respond for a while: the advisory remains until somebody has seen it. */
export function setOutageAlarm(alarms: Alarms, { from, to, cause }: GatewayOutage, now = new Date()): void {
  const before = alarms.list().find(({ code }) => code === CODE);
  const count = Number(before?.values['count'] ?? 0) + 1;
  const more = count === 1 ? '' : ` Interruptions since the last acknowledgement: ${count}.`;
  const words = CAUSES[cause];
  // Each one is a separate record.
  alarms.clear(CODE);
  alarms.raise(
    CODE,
    `Routes did not answer from ${localTime(from, now)} to ${localTime(to, now)}: ${inEnglish(words)} and was restarted.${more}`,
    { values: { from, to, count }, phrases: { cause: [words] }, subject: from, endsWhenSeen: true },
  );
}
