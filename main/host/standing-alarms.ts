import { phrase } from '#common/alarms/phrase.ts';
import type { Settings } from '#common/model/settings.ts';
import type { GatewayLink, JournalTroubles } from '../contracts.ts';
import type { Alarms } from './alarms.ts';
import { inWords, type LostStore } from './stores.ts';
import { createEgressAlarms } from './egress-alarms.ts';
import { type StartStep, setUnfinishedStartAlarms } from './start-steps.ts';
import { setOutageAlarm } from './outage-alarm.ts';
import { setSharesAlarms } from './share-alarm.ts';

/** An alarm is raised if the gateway was replaced this often since the start of the host. */
const RESTARTS_TO_TELL = 3;

type WatchedGateway = Pick<GatewayLink, 'state' | 'restarts' | 'lastOutage' | 'on'> & {
  readonly trouble: string | null;
};

/** Maintains the alarms that follow from the gateway's reports. Returns a function that ends it. */
export function watchGateway(
  alarms: Alarms,
  gateway: WatchedGateway,
  nameOfTarget?: (target: string) => string,
): () => void {
  const egress = createEgressAlarms(alarms, nameOfTarget);
  let known = gateway.lastOutage;
  return gateway.on((event) => {
    if (event.kind === 'state') {
      setGatewayAlarms(alarms, gateway);
      if (gateway.lastOutage !== null && gateway.lastOutage !== known) setOutageAlarm(alarms, gateway.lastOutage);
      known = gateway.lastOutage;
      if (gateway.state === 'dead') {
        egress.gatewayGone();
        setSharesAlarms(alarms, []);
      }
    }
    if (event.kind === 'shares') setSharesAlarms(alarms, event.uses);
    if (event.kind === 'egress') egress.tell(event.egress);
    if (event.kind === 'journal') {
      alarms.set('journal_unavailable', event.state === 'unavailable', {
        values: { reason: event.reason ?? 'unknown reason' },
      });
    }
  });
}

const VAULT_NOTICES = ['secret_unprotected', 'vault_rolled_back', 'generation_behind'] as const;

export interface HostState {
  notices: readonly { code: string; text: string }[];
  keysRefused: boolean;
  journal: JournalTroubles;
  lostStores: readonly LostStore[];
  unfinished: readonly StartStep[];
  settings: Settings;
  /** The actual port of the gateway; null while there is none. */
  gatewayPort: number | null;
  /** The plain port in addition to TLS; null while there is none. */
  plainPort: number | null;
}

/**
 * Evaluated whenever the alarms are read: the notices of the vault, and that of plain HTTP (docs/spec/settings.md#tls).
 */
export function setStateAlarms(alarms: Alarms, state: HostState): void {
  const { notices, keysRefused, lostStores, settings } = state;
  for (const code of VAULT_NOTICES) {
    const notice = notices.find((entry) => entry.code === code);
    alarms.set(code, notice !== undefined, { text: notice?.text ?? '' });
  }
  alarms.set('keys_refused', keysRefused, {
    text: 'Every API key is refused: the vault is older than the last one written, and the journal does not show what was revoked since then. Check keys and users, then confirm it on the Overview or with "sluice vault confirm".',
  });
  setJournalAlarms(alarms, state.journal);
  setUnfinishedStartAlarms(alarms, state.unfinished);
  const stores = inWords(lostStores);
  alarms.set('store_lost', lostStores.length > 0, {
    text: `Files of the data folder are not as Sluice left them: ${stores}. Stop Sluice and restore them from a copy, or restore a backup with "sluice restore". To continue without what they contained, confirm it on the Overview or with "sluice vault confirm".`,
    values: { stores: lostStores.map(({ store }) => store).join(', ') },
    subject: stores,
  });
  const plain = portSpeakingPlain(state);
  const remedy =
    settings.tls === 'off'
      ? 'Keep it in the plant’s own network, turn on TLS, or put a proxy that speaks TLS in front.'
      : 'It is open in addition to TLS because "Additional plain HTTP port" is set; clear that when its last caller uses TLS.';
  alarms.set('keys_readable', settings.tls === 'off' || settings.plainHttpPort !== null, {
    text: `${plain ? `Port ${plain}` : 'The gateway'} uses plain HTTP: API keys are sent unencrypted. ${remedy}`,
    values: { port: plain ?? '' },
    subject: settings.tls === 'off' ? 'off' : 'beside',
  });
}

function setJournalAlarms(alarms: Alarms, { tampered, unproven, outside, spareRows }: JournalTroubles): void {
  const first = tampered[0] ?? '';
  alarms.set('journal_tampered', tampered.length > 0, {
    values: { count: tampered.length, first },
    subject: String(tampered.length),
  });
  const rows = unproven.reduce((sum, found) => sum + found.rows, 0);
  alarms.set('journal_unproven', rows > 0, { values: { count: rows }, subject: String(rows) });
  alarms.set('journal_rows_held', spareRows > 0, { values: { count: spareRows } });
  const { path = '', findings = [], unusable = null } = outside ?? {};
  const missing = findings.join(' ');
  alarms.set('journal_rolled_back', findings.length > 0, {
    values: { file: path, findings: missing },
    subject: missing,
  });
  alarms.set('journal_head_unusable', unusable !== null, {
    values: { file: path, reason: unusable ?? '' },
    subject: path,
  });
}

/** Port 0 is "any free one": only the gateway knows which. */
function portSpeakingPlain({ settings, gatewayPort, plainPort }: HostState): number | null {
  if (settings.tls === 'off') return (gatewayPort ?? settings.gatewayPort) || null;
  return (plainPort ?? settings.plainHttpPort) || null;
}

function setGatewayAlarms(alarms: Alarms, gateway: WatchedGateway): void {
  if (gateway.state === 'running') alarms.clear('gateway_down');
  if (gateway.state === 'dead') {
    // The next process has its own journal and reports itself if it cannot be written.
    alarms.clear('journal_unavailable');
    alarms.raise('gateway_down', {
      values: { reason: gateway.trouble ?? '' },
      phrases: { message: gateway.trouble ? [phrase('message', { message: gateway.trouble })] : [] },
    });
  }
  alarms.set('gateway_restarted', gateway.restarts >= RESTARTS_TO_TELL, { values: { count: gateway.restarts } });
}
