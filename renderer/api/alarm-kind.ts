import type { AlarmSeverity } from '#common/alarms/severity.ts';
import type { Alarm, Permission } from '#common/model/records.ts';

/** The page of the remedy for an alarm, by its name in the texts, with the permission that it needs. */
export interface AlarmPlace {
  href: string;
  page: AlarmPage;
  needs: Permission;
}

export const STORE_FORWARD = '/store-forward';
export type AlarmPage =
  'storeForward' | 'token' | 'plugins' | 'gateway' | 'keys' | 'journal' | 'refusals' | 'pipelines' | 'tags';

const PLACES = {
  storeForward: { href: STORE_FORWARD, page: 'storeForward', needs: 'view' },
  /** Opens the form for the token, for a target that refuses the current one. */
  token: { href: `${STORE_FORWARD}?token=new`, page: 'token', needs: 'edit_pipelines' },
  plugins: { href: '/settings/plugins', page: 'plugins', needs: 'access_settings' },
  gateway: { href: '/settings/gateway', page: 'gateway', needs: 'access_settings' },
  keys: { href: '/settings/api-keys', page: 'keys', needs: 'manage_keys' },
  journal: { href: '/journal', page: 'journal', needs: 'view_audit' },
  refusals: { href: '/journal?show=refusal', page: 'refusals', needs: 'view_audit' },
  pipelines: { href: '/pipelines', page: 'pipelines', needs: 'view' },
  tags: { href: '/data/tags', page: 'tags', needs: 'view' },
} as const satisfies Record<AlarmPage, AlarmPlace>;

const PLACE_OF: Readonly<Record<string, AlarmPage>> = {
  keys_readable: 'gateway',
  journal_head_unusable: 'gateway',
  metrics_unavailable: 'gateway',
  certificate_ending: 'gateway',
  certificate_ended: 'gateway',
  journal_tampered: 'journal',
  journal_unproven: 'journal',
  journal_rolled_back: 'journal',
  key_exposed: 'keys',
  honey_key_used: 'keys',
  caller_refused: 'refusals',
  share_used_up: 'refusals',
  pipeline_quarantined: 'pipelines',
  writes_stopped: 'tags',
  pipeline_blocked: 'pipelines',
};

/** Null: no page has a remedy. `mayEnterToken`: the user may change the pipelines that call a target. */
export function alarmPlace({ code, values }: Pick<Alarm, 'code' | 'values'>, mayEnterToken = false): AlarmPlace | null {
  if (mayEnterToken && code === 'egress_paused' && values['status'] !== undefined) return PLACES.token;
  if (code.startsWith('egress_')) return PLACES.storeForward;
  if (code.startsWith('plugin_')) return PLACES.plugins;
  const page = PLACE_OF[code];
  return page === undefined ? null : PLACES[page];
}

const ORDER: AlarmSeverity[] = ['alarm', 'warning', 'advisory'];

/** The most urgent first, then the newest. */
export function sortedAlarms(alarms: readonly Alarm[]): Alarm[] {
  return alarms.toSorted(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || b.since.localeCompare(a.since),
  );
}

/** The alarms that are counted and shown; shelved ones are in a separate list. */
export function shownAlarms(alarms: readonly Alarm[]): Alarm[] {
  return alarms.filter(({ shelvedUntil }) => shelvedUntil === null);
}
