import { type Phrase, phrase } from '#common/alarms/phrase.ts';
import type { GatewayOutage, OutageCause } from '../contracts.ts';
import type { Alarms } from './alarms.ts';

const CODE = 'gateway_outage';
const CAUSES = {
  silent: phrase('outage_silent'),
  refused: phrase('outage_refused'),
  ended: phrase('outage_ended'),
} as const satisfies Record<OutageCause, Phrase>;

/** Routes did not respond for a while: the advisory remains until somebody has seen it. */
export function setOutageAlarm(alarms: Alarms, { from, to, cause }: GatewayOutage): void {
  const before = alarms.list().find(({ code }) => code === CODE);
  const count = Number(before?.values['count'] ?? 0) + 1;
  // Each one is a separate record.
  alarms.clear(CODE);
  const values = { from, to, count };
  alarms.raise(CODE, { values, phrases: { cause: [CAUSES[cause]] }, subject: from, endsWhenSeen: true });
}
