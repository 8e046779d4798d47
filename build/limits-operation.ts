import { HEAD_FILE_BYTES_MAX } from '../main/audit/head-file.ts';
import { UNUSABLE_MS_MAX } from '../main/audit/outside-heads.ts';
import { SHELF_ALARM_HOURS_MAX, SHELF_DAYS_MAX } from '#common/alarms/severity.ts';
import { FIGURES_MAX } from '#common/control/messages.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { RING_SLOTS } from '#common/node/journal/ring.ts';
import { FIND_WORDS_MAX } from '../main/audit/search-terms.ts';
import { QUERY_MS_MAX, SLICE_ROWS } from '../main/audit/slices.ts';
import { BARS_MAX, FACET_VALUES_MAX } from '../main/audit/summary.ts';
import { KEPT_BYTES_MAX } from '../main/audit/pruner.ts';
import { CALL_SHARES, CALLS_MAX, UNANSWERED_MAX } from '../gateway/egress/direct-limits.ts';
import { ANSWER_BYTES_MAX, CALL_BYTES_MAX } from '../gateway/egress/http/contract.ts';
import * as outbox from '../gateway/egress/outbox/limits.ts';
import { BODY_BYTES_MAX } from '#common/contract/declaration.ts';
import { SMALL_BODIES_BYTES_MAX } from '../main/admin-api/body-budget.ts';
import { WAITING_MAX } from '../main/admin-api/locks.ts';
import { VALUES_BYTES_MAX } from '../main/admin-api/parse-json.ts';
import { STREAMS_MAX, STREAMS_PER_USER_MAX } from '../main/admin-api/events.ts';
import { PRESENCE_MS, WINDOWS_MAX, WINDOWS_PER_USER_MAX } from '../main/admin-api/presence.ts';
import { CONNECTIONS_MAX } from '../main/admin-api/listen.ts';
import {
  SINGLES_MAX,
  SINGLES_PER_SECOND_MAX,
  SINGLES_PER_SECOND_OF_NETWORK_MAX,
  SINGLES_PER_SECOND_WITHOUT_SESSION_MAX,
} from '../main/admin-api/refused-calls.ts';
import { LOG_BYTES_MAX, LOG_FILES_MAX } from '../main/desktop/log-files.ts';
import { TARGETS_LISTED_MAX } from '../main/metrics/egress-metrics.ts';
import * as scrapes from '../main/metrics/scrape-server.ts';
import { ROLES_MAX, USERS_MAX } from '../main/people/accounts.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '#common/model/credentials.ts';
import { FORGET_MS, FREE_FAILURES, WAIT_MS_MAX } from '../main/people/failures.ts';
import { WRONG_TOKENS_MAX } from '../main/people/setup-token.ts';
import { TOKEN_DAYS_MAX, TOKENS_MAX } from '../main/people/service-tokens.ts';
import { SESSION_MS, SESSIONS_MAX, SESSIONS_PER_USER_MAX } from '../main/people/sessions.ts';
import { ACK_MS_MAX } from '../main/supervisor/pending.ts';
import { ALARM_RECORDS_PER_CODE_MAX } from '../main/host/alarm-file.ts';
import { SILENCE_MS_MAX } from '../main/supervisor/heartbeat.ts';
import { TOTALS_MAX } from '../main/traffic/route-totals.ts';
import { KEPT_DAYS } from '../main/traffic/traffic-store.ts';
import { RESTORE_BYTES_MAX, RESTORE_IDLE_MS } from '#common/model/restore.ts';
import { PASSPHRASE_CHARS_MIN } from '../main/vault/backup-cipher.ts';
import { count, type LimitArea, size, time } from './docs/limit-row.ts';

const DEFAULTS = settingsSchema.parse({});

export const EGRESS: LimitArea = {
  title: 'Outgoing calls and the outbox',
  limits: [
    {
      what: 'Events in the outbox',
      value: `${count(DEFAULTS.egressMaxEvents)} by default`,
      setting: '`egressMaxEvents`',
      atLimit: 'the node fails with `outbox_full`; the alarm `egress_backlog` is raised from 80 % on',
    },
    {
      what: 'Size of the outbox',
      value: `${size(DEFAULTS.egressMaxBytes)} by default`,
      setting: '`egressMaxBytes`',
      atLimit: 'as above',
    },
    {
      what: 'Share of the outbox while other projects store calls',
      value: `${100 * outbox.PROJECT_SHARE} % for a project; ${100 * outbox.TARGET_SHARE} % of that for one of its targets`,
      atLimit: '`outbox_full`; the alarm `egress_share_full` is raised',
    },
    {
      what: 'Free disk space',
      value: `${size(DEFAULTS.diskReserveBytes)} by default`,
      setting: '`diskReserveBytes`',
      atLimit: '`outbox_full`',
    },
    { what: 'Targets', value: count(outbox.TARGETS_MAX), atLimit: 'nothing is stored; the node fails' },
    { what: 'Ordering keys with waiting events', value: count(outbox.QUEUES_MAX), atLimit: '`outbox_full`' },
    {
      what: `Ordering keys of a target while more than ${count(outbox.QUEUES_SHARED)} have waiting events`,
      value: count(outbox.QUEUES_FEW),
      atLimit: '`outbox_full`',
    },
    {
      what: 'Calls in progress to one target while most places are taken',
      value: outbox.SEND_SHARES.toReversed()
        .map(({ from, perTarget }) => `${perTarget} from ${from} calls on`)
        .join(', '),
      atLimit: 'further events wait; the alarm `egress_sends_held` is raised when these calls do not end',
    },
    {
      what: 'Time to store an event',
      value: time(outbox.STORE_MS_MAX),
      atLimit: '`outbox_unavailable`',
    },
    {
      what: 'Rate at which a backlog is sent to one target',
      value: `${count(DEFAULTS.egressDrainRate)} events a second by default`,
      setting: '`egressDrainRate`',
      atLimit: 'further events wait',
    },
    {
      what: 'Calls in progress',
      value: `${outbox.SENDS_MAX} in all, ${outbox.SENDS_PER_TARGET_MAX} to one target, 1 to a target that did not answer; ${outbox.SENDS_PER_PROJECT_MAX} of a project while others store calls`,
      atLimit: 'further events wait',
    },
    {
      what: 'Time between attempts',
      value: `${time(outbox.RETRY_MS_FIRST)}, doubling up to ${time(outbox.RETRY_MS_MAX)}`,
      atLimit: 'attempts continue indefinitely',
    },
    {
      what: '`Retry-After` that is honoured',
      value: time(outbox.RETRY_AFTER_MS_MAX),
      atLimit: 'a longer wait is cut to this',
    },
    {
      what: 'Dead letters in a row at one target',
      value: count(outbox.DEAD_STREAK_MAX),
      atLimit: 'the target is paused; the alarm `egress_paused` is raised',
    },
    {
      what: 'One call',
      value: `${size(CALL_BYTES_MAX)} of body, ${size(ANSWER_BYTES_MAX)} of answer`,
      atLimit: '`call_too_large`, `answer_too_large`',
    },
    { what: 'Direct calls (not stored) at once', value: count(CALLS_MAX), atLimit: '`target_overloaded`' },
    ...CALL_SHARES.toReversed().map(({ from, perCaller, perTarget, perProject }) => ({
      what: `Direct calls at once while ${count(Math.ceil(from))} are in progress`,
      value: `${count(perCaller)} of a caller, ${count(perTarget)} of a project to a target${perProject === Infinity ? '' : `, ${count(perProject)} of a project`}`,
      atLimit: '`target_overloaded`',
    })),
    {
      what: 'Direct calls of a node in a row without an answer',
      value: count(UNANSWERED_MAX),
      atLimit: 'one call at a time is sent until the target answers; the others fail with `target_unreachable`',
    },
  ],
};

export const JOURNAL: LimitArea = {
  title: 'Journal and statistics',
  limits: [
    {
      what: 'Age of recorded calls in the journal',
      value: `${time(DEFAULTS.journalDays * 86_400_000)} by default`,
      setting: '`journalDays`',
      atLimit: 'older rows are deleted; the journal records the deletion and still verifies',
    },
    {
      what: 'Size of recorded calls in the journal',
      value: `${size(DEFAULTS.journalMaxBytes)} by default`,
      setting: '`journalMaxBytes`',
      atLimit: 'the oldest rows are deleted, as above',
    },
    {
      what: 'Size of administrative changes and refusals in the journal',
      value: size(KEPT_BYTES_MAX),
      atLimit: 'the oldest rows are deleted, as above; recorded calls cannot displace them',
    },
    {
      what: 'Time of one query of the journal',
      value: time(QUERY_MS_MAX),
      atLimit: `the page ends after the current slice of ${count(SLICE_ROWS)} rows; \`next\` continues there`,
    },
    {
      what: 'Words of a search of the journal',
      value: count(FIND_WORDS_MAX),
      atLimit: 'further words are ignored',
    },
    {
      what: 'Bars of the counts of the journal; values of a list of counts',
      value: `${count(BARS_MAX)}; ${count(FACET_VALUES_MAX)}`,
      atLimit: 'bars cover a longer time; further values are counted together',
    },
    {
      what: 'File for journal heads outside the data folder',
      value: size(HEAD_FILE_BYTES_MAX),
      setting: '`journalHeadFile`',
      atLimit: 'the oldest heads are deleted',
    },
    {
      what: 'Time that a share with that file may be away',
      value: time(UNUSABLE_MS_MAX),
      atLimit: 'the alarm `journal_head_unusable`',
    },
    {
      what: 'Rows of refused calls of the admin API, of a network, user and error code',
      value: `${SINGLES_MAX} a minute; in all ${SINGLES_PER_SECOND_MAX} a second, of which a network gets ${SINGLES_PER_SECOND_OF_NETWORK_MAX} and callers without a session ${SINGLES_PER_SECOND_WITHOUT_SESSION_MAX}`,
      atLimit: 'further calls are counted in one row a minute',
    },
    {
      what: 'Refusals that can be explained',
      value: count(RING_SLOTS),
      atLimit: 'the oldest explanation is overwritten',
    },
    { what: 'Traffic statistics', value: time(KEPT_DAYS * 86_400_000), atLimit: 'older statistics are deleted' },
    {
      what: 'Log files of the desktop app',
      value: `${LOG_FILES_MAX} of ${size(LOG_BYTES_MAX)}`,
      atLimit: 'the oldest is deleted',
    },
  ],
};

export const ADMIN: LimitArea = {
  title: 'Log-in, users and the admin API',
  limits: [
    {
      what: 'Failed log-ins of a name or a source (an address, or a user of this PC)',
      value: `${FREE_FAILURES} without a wait`,
      atLimit: `429 \`login_slowed\`: a wait of 1 s that doubles up to ${time(WAIT_MS_MAX)}; forgotten after ${time(FORGET_MS)}`,
    },
    {
      what: 'Wrong set-up tokens',
      value: `${FREE_FAILURES} without a wait, ${WRONG_TOKENS_MAX} in all`,
      atLimit: '429 `login_slowed` as above; then the token is void until the next start',
    },
    { what: 'Session', value: time(SESSION_MS), atLimit: '401 `no_session`: log in again' },
    {
      what: 'Sessions',
      value: `${SESSIONS_PER_USER_MAX} of a user, ${count(SESSIONS_MAX)} in all`,
      atLimit: 'the oldest ends',
    },
    {
      what: 'Service tokens',
      value: `${TOKENS_MAX}, each for at most ${TOKEN_DAYS_MAX} days`,
      atLimit: 'one that is revoked or ended gives way; 409 `conflict` if all are valid',
    },
    {
      what: 'Password',
      value: `${PASSWORD_CHARS_MIN} to ${count(PASSWORD_CHARS_MAX)} characters`,
      atLimit: '400 `invalid`',
    },
    { what: 'Passphrase of a backup', value: `at least ${PASSPHRASE_CHARS_MIN} characters`, atLimit: '400 `invalid`' },
    { what: 'Backup that the admin UI restores', value: size(RESTORE_BYTES_MAX), atLimit: '400 `invalid`' },
    {
      what: 'Upload of a backup without a request',
      value: time(RESTORE_IDLE_MS),
      atLimit: 'the upload is removed',
    },
    { what: 'Users', value: count(USERS_MAX), atLimit: '409 `conflict`' },
    { what: 'Roles', value: count(ROLES_MAX), atLimit: '409 `conflict`' },
    { what: 'Body of an admin API request', value: size(BODY_BYTES_MAX), atLimit: '413 `payload_too_large`' },
    { what: 'Larger bodies at once, such as imports', value: '1', atLimit: '503 `overloaded` with `Retry-After`' },
    {
      what: 'Bodies of admin API requests at once',
      value: size(SMALL_BODIES_BYTES_MAX),
      atLimit: '503 `overloaded` with `Retry-After`',
    },
    {
      what: 'Memory for the values of a body, by an estimate',
      value: size(VALUES_BYTES_MAX),
      atLimit: '413 `payload_too_large`',
    },
    {
      what: 'Changes that wait for one pipeline, the resources of one project, the settings, or the set-up',
      value: count(WAITING_MAX),
      atLimit: '503 `overloaded` with `Retry-After`',
    },
    {
      what: 'Connections to the admin UI and API',
      value: count(CONNECTIONS_MAX),
      atLimit: 'a connection without a whole request is closed, then an idle one',
    },
    {
      what: 'Open windows with live updates',
      value: `${STREAMS_PER_USER_MAX} of a user, ${STREAMS_MAX} in all`,
      atLimit: '503 `overloaded`',
    },
    {
      what: 'Windows in which a pipeline is open, as others see them',
      value: `${WINDOWS_PER_USER_MAX} of a user, ${WINDOWS_MAX} in all; each ends ${time(PRESENCE_MS)} after its last report`,
      atLimit: 'the window that has been silent longest is no longer shown',
    },
    {
      what: 'Connections to the port for metrics',
      value: count(scrapes.CONNECTIONS_MAX),
      atLimit: 'further connections are closed',
    },
    {
      what: 'Routes with their own metrics',
      value: count(TOTALS_MAX),
      atLimit: 'further routes are counted together, with `route="other"`',
    },
    {
      what: 'Device and database connections with metrics',
      value: `${count(FIGURES_MAX)} of each`,
      atLimit: 'further connections have none',
    },
    { what: 'Targets with metrics', value: count(TARGETS_LISTED_MAX), atLimit: 'further targets have none' },
    {
      what: 'Time for the gateway to confirm a stop or a revoked key',
      value: time(ACK_MS_MAX),
      atLimit: 'the gateway is killed and started again with the new state',
    },
    {
      what: 'Time without a heartbeat from the gateway',
      value: time(SILENCE_MS_MAX),
      atLimit: 'the gateway is killed and started again; the alarm `gateway_down` is raised',
    },
    {
      what: 'Past alarms that are kept',
      value: `${count(ALARM_RECORDS_PER_CODE_MAX)} of each code`,
      atLimit: 'the oldest of the same code is removed',
    },
    {
      what: 'Time for which an alarm can be shelved',
      value: `${SHELF_ALARM_HOURS_MAX} h, or ${SHELF_DAYS_MAX} days for a warning or advisory`,
      atLimit: '400 `invalid`',
    },
  ],
};
