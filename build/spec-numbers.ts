import { CHECKS_MS_MAX } from '../main/admin-api/project-apply.ts';
import { CALL_MS_MAX } from '../main/cli/admin-session.ts';
import * as lines from '../main/cli/line-table.ts';
import { SHELF_ALARM_HOURS_MAX, SHELF_DAYS_MAX } from '#common/alarms/severity.ts';
import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import { NODE_ID, PROJECT_ID } from '#common/model/ids.ts';
import { SEARCHED_BYTES, USUAL_CALLS } from '../gateway/gates/key-watch.ts';
import { KEPT_PER_LIST } from '../gateway/gates/key-things.ts';
import { KEPT_PER_KEY, KEYS_MAX } from '../gateway/http/recent-refusals.ts';
import { ROUTES_SHOWN_MAX, SELF_SERVICE_BURST } from '../gateway/http/self-service.ts';
import { REASON_CHARS_MAX } from '#common/contract/key.ts';
import { LIMIT_ENTRIES_MAX } from '#common/model/key-limits.ts';
import { PAYLOAD_BYTES_MAX, routeSettings } from '#common/model/route-settings.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { BALLAST_BYTES, BALLAST_RELEASE_BYTES } from '#common/node/disk-space.ts';
import { RING_SLOTS } from '#common/node/journal/ring.ts';
import { ACK_MS_MAX as JOURNAL_ACK_MS_MAX } from '#common/node/journal/writer.ts';
import { YEARS_VALID } from '#common/node/own-certificate.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { HOPS_MAX } from '../gateway/capabilities/messages/bus.ts';
import { DEPTH_MAX } from '../gateway/capabilities/scripts/scripts.ts';
import { STOP_SETTLES_MS_MAX } from '../gateway/capabilities/tags/tags.ts';
import { BOUND_MS_MAX, SETTLE_MS_MIN } from '../gateway/capabilities/tags/write-gate.ts';
import { CONDITIONS_MAX } from '#common/model/write-limits.ts';
import { FOLD_MS, VALUE_CHARS_MAX } from '../gateway/capabilities/write-log.ts';
import { REHEARSED_KEPT_MAX } from '../gateway/capabilities/writes/rehearsal.ts';
import { STOP_GRACE_MS } from '../gateway/control/pipeline-deployer.ts';
import { UNANSWERED_MAX } from '../gateway/egress/direct-limits.ts';
import * as outbox from '../gateway/egress/outbox/limits.ts';
import { RETRIES_MAX } from '../gateway/egress/retry-plan.ts';
import * as http from '../gateway/http/limits.ts';
import { SINGLES_MAX, SINGLES_PER_SECOND_MAX } from '../gateway/journal/refusal-folding.ts';
import { HALF, QUARTER } from '../gateway/net/shares.ts';
import { PATTERN_THREAD_CPU_MS_MAX, RUNS_PER_PIPELINE_MAX } from '../gateway/pipeline/limits.ts';
import * as native from '../gateway/sandbox/native/budget.ts';
import * as sandbox from '../gateway/sandbox/limits.ts';
import { HEARTBEAT_MS } from '../main/admin-api/events.ts';
import { PRESENCE_MS } from '../main/admin-api/presence.ts';
import { ALARM_RECORDS_PER_CODE_MAX } from '../main/host/alarm-file.ts';
import { ANCHOR_EVERY_MS } from '../main/audit/audit.ts';
import { FIND_WORDS_MAX } from '../main/audit/search-terms.ts';
import { QUERY_MS_MAX, SLICE_ROWS } from '../main/audit/slices.ts';
import { BARS_MAX, FACET_VALUES_MAX } from '../main/audit/summary.ts';
import { BLOCKS_MAX, QUARANTINE_WINDOW_MS } from '../main/host/quarantine.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../common/model/credentials.ts';
import { FORGET_MS, FREE_FAILURES, WAIT_MS_MAX } from '../main/people/failures.ts';
import { WRONG_TOKENS_MAX } from '../main/people/setup-token.ts';
import { LANE_MS } from '../main/people/log-in-lanes.ts';
import { TOKEN_DAYS_MAX, TOKENS_MAX } from '../main/people/service-tokens.ts';
import { SESSION_MS } from '../main/people/sessions.ts';
import { REVISIONS_MAX } from '../main/projects/project-store.ts';
import { PING_MS, SILENCE_MS_MAX } from '../main/supervisor/heartbeat.ts';
import { ACK_MS_MAX } from '../main/supervisor/pending.ts';
import * as restarts from '../main/supervisor/restart-policy.ts';
import { DRAIN_MS_MAX } from '../main/supervisor/supervisor.ts';
import { TELL_DAYS_BEFORE } from '../main/tls/certificate-alarms.ts';
import { BACKLOG_RANGES, BACKLOG_TARGETS_MAX } from '../main/traffic/backlog.ts';
import { KEY_ROUTES_KEPT_MS } from '../main/traffic/key-routes.ts';
import { RESTORE_BYTES_MAX, RESTORE_IDLE_MS } from '#common/model/restore.ts';
import { PASSPHRASE_CHARS_MIN, SCRYPT } from '../main/vault/backup-cipher.ts';
import { count, size, time } from './docs/limit-row.ts';
import { tableOf } from './spec-pages.ts';
import { GATEWAY_SILENT_MS, STALE_MS } from '../renderer/api/connection.ts';

const SETTINGS = settingsSchema.parse({});
const ROUTE = routeSettings.parse({ mode: 'ingress' });
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (value: number): string => WORDS[value] ?? String(value);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const part = (value: number): string => ({ 0.25: 'a quarter', 0.5: 'half', 0.75: 'three quarters' })[value] ?? '?';
const seconds = (ms: number): string => `${ms / 1000} s`;
const mode = (bits: number): string => `0${bits.toString(8)}`;
/** `{0,62}` → 62 */
const repeats = (pattern: RegExp): number => Number(/(\d+)\}\$$/.exec(pattern.source)?.[1]);

/**
 * Numbers on the pages of the specification, built from the constants that the product uses. `plain` are numbers
 * without a constant; their tests are in spec-tests.ts like those of other rules.
 */
export interface PageNumbers {
  readonly said: readonly string[];
  readonly plain?: readonly string[];
}

const BACKLOG_STEPS = Object.entries(BACKLOG_RANGES).map(
  ([range, { stepMs }]) => `${range.replace(/(\d+)(\w)/, '$1 $2').replace(' m', ' min')} in steps of ${time(stepMs)}`,
);

const NUMBERS: Readonly<Record<string, PageNumbers>> = {
  'admin-api.md': { said: [`port ${SETTINGS.uiPort}`] },
  'capabilities.md': {
    said: [`its first ${REHEARSED_KEPT_MAX} simulated writes`],
    plain: ['gets 403', 'with status 200'],
  },
  'egress.md': {
    said: [
      '0.1 to 3,600',
      `after ${time(outbox.RETRY_MS_FIRST)}, doubling to ${time(outbox.RETRY_MS_MAX)}, ±${outbox.RETRY_JITTER * 100} %`,
      `up to ${time(outbox.RETRY_AFTER_MS_MAX)}`,
      `${upper(word(outbox.DEAD_STREAK_MAX))} in a row pause the target`,
      `${word(outbox.POISON_ANSWERS)} times over ${time(outbox.POISON_MS)}`,
      `at most ${part(outbox.PROJECT_SHARE)} of it, and one of its targets ${part(outbox.TARGET_SHARE)} of that`,
      `After ${word(UNANSWERED_MAX)} calls in a row without a response`,
      RETRIES_MAX === 2 ? 'at most twice more' : 'RETRIES_MAX',
      `for ${time(outbox.REHEARSAL_MS)}`,
      ...BACKLOG_STEPS,
      `At most ${BACKLOG_TARGETS_MAX} targets`,
    ],
    plain: ['with `status` 202', 'none, 408, 425, 429, 5xx', '2xx', '401, 403', '3xx or 4xx', '408, 425 or 5xx', '(0)'],
  },
  'journal.md': {
    said: [
      `within ${JOURNAL_ACK_MS_MAX} ms`,
      `${time(ANCHOR_EVERY_MS)} at most`,
      `single rows up to ${SINGLES_MAX} a minute`,
      `${SINGLES_PER_SECOND_MAX} refusals a second are single rows`,
      `The last ${count(RING_SLOTS)} refusals`,
      `spaces, ${FIND_WORDS_MAX} at most`,
      `at most ${QUERY_MS_MAX} ms and the current slice of ${count(SLICE_ROWS)} rows`,
      `at most ${BARS_MAX} for the range`,
      `${FACET_VALUES_MAX} values a page`,
      `JSON of at most ${VALUE_CHARS_MAX} characters`,
      FOLD_MS === 1_000 ? 'within one second share' : 'FOLD_MS',
    ],
    plain: [
      '401, 403, 421 and 429, and 409',
      'a caller gets 503. The result',
      'between 02:30 and 03:30 local time',
      'the first 20, and a MAC',
      'up to 64 MiB',
      'from 100 to 599 is a status',
      'got 400 or above',
      'or 5xx because',
      '06:00, 14:00 and 22:00',
      'from 22:00 yesterday to 06:00 today',
      'the last 60 to 70 minutes',
    ],
  },
  'keys.md': {
    said: [
      `was killed after ${seconds(ACK_MS_MAX)}`,
      `at most ${LIMIT_ENTRIES_MAX} entries`,
      `more than ${LIMIT_ENTRIES_MAX} names`,
      `up to ${count(KEPT_PER_LIST)} things`,
      `remembered for ${time(KEY_ROUTES_KEPT_MS)}`,
      `of 1 to ${REASON_CHARS_MAX} characters`,
      `beyond the first ${ROUTES_SHOWN_MAX}`,
      `the last ${KEPT_PER_KEY} refusals`,
      `${1 + SELF_SERVICE_BURST} times at once`,
      `for the ${KEYS_MAX} keys`,
      `the first ${size(SEARCHED_BYTES)}`,
      `after ${count(USUAL_CALLS)} calls`,
    ],
    plain: [
      'gets 403',
      'with 503',
      '`mon-fri 06:00-14:00`',
      '`sat 22:00-06:00`',
      '`24:00`',
      '12 base62 characters',
      '43 from 256 random bits',
      'of 6',
      '"MES (2)"',
    ],
  },
  'nodes.md': {
    said: [
      `ends after ${HOPS_MAX}`,
      `up to ${CONDITIONS_MAX} conditions`,
      `at least ${seconds(SETTLE_MS_MIN)}, because`,
      `within ${seconds(BOUND_MS_MAX)}, is not sent`,
      `takes longer than ${seconds(STOP_SETTLES_MS_MAX)}`,
      `its bound is ${seconds(BOUND_MS_MAX)}`,
      `more than ${seconds(PATTERN_THREAD_CPU_MS_MAX)} of CPU time`,
    ],
    plain: [
      'from 200 to 599, 200 if it is absent',
      'status 200',
      '`status` 400',
      '409 `interlock`',
      '409 `write_stopped`',
      '507 `not_saved`',
    ],
  },
  'operation.md': {
    said: [`no answer arrived within ${seconds(CALL_MS_MAX)}`],
    plain: [
      'exit code 1',
      'exit code 3',
      'Exit code 2 of',
      'with 0 if',
      '1 if it',
      '3 if rows',
      '200 `{"status":"ok"}`',
      'is 200',
      'is 503',
      '503 `{"status":"unavailable"}`',
    ],
  },
  'overview.md': { said: [`| ${SETTINGS.gatewayPort} |`, `| ${SETTINGS.uiPort} |`], plain: ['1.0.4'] },
  'pipelines.md': {
    said: [
      `1 to ${repeats(PROJECT_ID) + 1} lower-case letters`,
      `1 to ${repeats(NODE_ID)} letters, digits, \`_\` and \`-\``,
      `The ${REVISIONS_MAX} newest revisions`,
      `within ${seconds(STOP_GRACE_MS)}`,
      `${BLOCKS_MAX === 2 ? 'twice' : BLOCKS_MAX} within ${QUARANTINE_WINDOW_MS / 60_000} minutes`,
      `in memory, ${RUNS_PER_PIPELINE_MAX} for each`,
      `for at most ${seconds(CHECKS_MS_MAX)} together`,
      `at most ${lines.LINES_MAX.toLocaleString('en')} lines and ${lines.COLUMNS_MAX} values`,
      `at most ${lines.VALUE_CHARS_MAX.toLocaleString('en')} characters`,
    ],
    plain: ['1 to 64 characters', 'fixed 2xx'],
  },
  'processes.md': {
    said: [
      `acknowledged within ${seconds(ACK_MS_MAX)}`,
      `have ${seconds(ACK_MS_MAX)} since`,
      `at most ${restarts.RESTARTS_AT_ONCE_MAX} times a minute`,
      `after ${seconds(restarts.RESTART_DELAY_MS_MIN)}, doubling to ${seconds(restarts.RESTART_DELAY_MS_MAX)}`,
      `${seconds(restarts.SERVICE_MS_TO_RESET)} of service`,
      `for ${seconds(SILENCE_MS_MAX)}`,
      `within ${seconds(DRAIN_MS_MAX)}`,
    ],
    plain: ['within 500 ms', 'above 1,'],
  },
  'requests.md': {
    said: [
      `destroyed ${seconds(http.REFUSED_SOCKET_MS)} later`,
      `up to ${size(http.DISCARD_BYTES_MAX)} or ${seconds(http.DISCARD_MS_MAX)}`,
      `kept for ${seconds(http.KEEP_ALIVE_MS)}`,
      `longer than ${count(http.TARGET_BYTES_MAX)} bytes`,
      `above ${size(http.HEADER_BYTES_MAX)} or ${http.HEADER_LINES_MAX} lines`,
      `head arrives within ${seconds(http.HEAD_MS_MAX)}`,
      `body arrives within ${seconds(http.BODY_MS_MAX)}`,
      `at ${size(http.BODY_BYTES_PER_SECOND_MIN)}/s or more after its first ${seconds(http.BODY_GRACE_MS)}`,
      `no progress for ${seconds(http.REPLY_STALL_MS_MAX)}, or less than ${size(http.REPLY_BYTES_PER_SECOND_MIN)}/s`,
      `handshake takes at most ${seconds(http.HANDSHAKE_MS_MAX)}`,
      `at most ${part(QUARTER)} of the requests in flight`,
      `has at most ${part(HALF)}`,
      `${http.HEAP_WATERMARK * 100} % of the heap`,
      `at most ${count(http.SHORT_REFUSALS.perSecondMax)} such responses a second`,
      `deeper than ${count(http.JSON_DEPTH_MAX)} levels`,
      `above ${size(http.LONG_BODY_BYTES)}`,
    ],
    plain: [
      'step 4',
      'at most 128 KiB',
      'with 204',
      '/64 of IPv6',
      '(/24,',
      'under 1 KB',
      'are 431',
      'is 415',
      'are 400',
      'After a 413',
      'gets 504',
      'gets 503',
      '405 is never sent',
    ],
  },
  'routes.md': {
    said: [
      `seconds, 0.1 to 3,600 | ${ROUTE.timeout} |`,
      `at most ${PAYLOAD_BYTES_MAX / 1024 ** 2} MB`,
      `| ${ROUTE.maxPayloadSize / 1024 ** 2} MB |`,
      `1 MB is ${count(ROUTE.maxPayloadSize)} bytes`,
    ],
    plain: [
      'requests per second, 0 to 1,000,000,000, fractions allowed | 0 (off) |',
      'whole number, 0 to 1,000,000,000 | 0 |',
      'answered 204',
      'above 0 has',
      'at least 1.',
      'step 1',
      '(steps 4 and 5)',
      '/64 of IPv6',
      'answer is 429',
    ],
  },
  'sandbox.md': {
    said: [
      `at most ${size(sandbox.MEMORY_PAGES_MAX * 64 * 1024)}`,
      `at least ${sandbox.DEADLINE_SECONDS_MIN} s, at most ${time(sandbox.DEADLINE_SECONDS_MAX * 1000)}`,
      `${part(sandbox.DEADLINE_FACTOR - 1)} of the deadline later`,
      `up to ${DEPTH_MAX} levels deep`,
      `at most ${native.STEPS_MAX.toLocaleString('en')} steps and makes texts of at most ${native.CHARS_MAX.toLocaleString('en')} characters`,
    ],
    plain: ['finer than 1 ms', 'a factor of 2', '1 s unless set'],
  },
  'settings.md': {
    said: [
      // Compared with the settings in spec-tables.test.ts.
      ...tableOf('settings.md#fields').map(([, defaults = '']) => `| ${defaults} |`),
      `valid for ${word(YEARS_VALID)} years`,
      `raised ${TELL_DAYS_BEFORE} days before`,
    ],
  },
  'storage.md': {
    said: [
      `(${mode(PRIVATE_FILE_MODE)}, folders ${mode(PRIVATE_FOLDER_MODE)};`,
      `beside the vault (${mode(PRIVATE_FILE_MODE)})`,
      `at least ${PASSPHRASE_CHARS_MIN} characters (scrypt, N = 2^${Math.log2(SCRYPT.N)})`,
      `below ${size(BALLAST_RELEASE_BYTES)}`,
      `ballast of ${size(BALLAST_BYTES)}`,
      `at most ${size(RESTORE_BYTES_MAX)}`,
      `after ${time(RESTORE_IDLE_MS)} without`,
    ],
    plain: ['32 random bytes', 'Within 24 h'],
  },
  'ui.md': {
    said: [
      `port ${SETTINGS.uiPort}`,
      `for up to ${SHELF_ALARM_HOURS_MAX} h`,
      `for up to ${SHELF_DAYS_MAX} days`,
      `the newest ${ALARM_RECORDS_PER_CODE_MAX} of each code`,
      `for ${seconds(PRESENCE_MS)} after its last report`,
      `on \`GET /events\` every ${seconds(HEARTBEAT_MS)}`,
      `from Sluice for ${seconds(STALE_MS)}`,
      `the host a heartbeat every ${seconds(PING_MS)}`,
      `From ${seconds(GATEWAY_SILENT_MS)} on`,
    ],
  },
  'users.md': {
    said: [
      `${PASSWORD_CHARS_MIN} to ${count(PASSWORD_CHARS_MAX)} characters`,
      `After ${FREE_FAILURES} failures`,
      `After ${WRONG_TOKENS_MAX} wrong tokens`,
      `1 s, doubling to ${time(WAIT_MS_MAX)}`,
      `${time(FORGET_MS)} without a failure`,
      `the last ${LANE_MS / 86_400_000} days`,
      `after ${time(SESSION_MS)}`,
      `(${mode(PRIVATE_FILE_MODE)})`,
      `at most ${TOKEN_DAYS_MAX} days away`,
      `After ${FREE_FAILURES} refusals`,
      `Up to ${TOKENS_MAX} tokens`,
    ],
    plain: ['1 to 64 characters', '0 (off)', 'The token has 10 characters', '50 random bits', 'count as 1, O as 0'],
  },
};

export function numbersOf(page: string): PageNumbers {
  return NUMBERS[page] ?? { said: [] };
}

/** Names that contain digits. */
const NAMES =
  /HTTP\/1\.[01]|RFC \d+|AES-256-GCM|SHA-256|CRC-32|UTF-8|IPv[46]|base(?:62|64)|OpenAPI 3\.1|TLS 1\.2 and 1\.3|RE2|NAT64|6to4|ISATAP/g;
/** The first cell of a row in the table of steps. */
const STEP = /\| \| \d+ \|/g;
/** A status with its codes: compared with the catalogue. */
const STATUS_AND_CODES = /\b([45]\d\d)(?: is)? ((?:`[a-z_]+`(?:, | or )?)+)/g;

export interface StatusOfCode {
  readonly status: number;
  readonly code: string;
}

/** Each status that the text assigns to a code of the catalogue. */
export function statusesIn(text: string): StatusOfCode[] {
  return [...text.matchAll(STATUS_AND_CODES)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([a-z_]+)`/g)]
      .map(([, code = '']) => ({ status: Number(status), code }))
      .filter(({ code }) => code in CATALOGUE),
  );
}

export const statusOf = (code: string): number => CATALOGUE[code as ErrorCode].status;

/** The text without code blocks, targets of links, and breaks within a sentence. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/[ \n]+/g, ' ');
}

/** The remaining digits when all known numbers are removed; each with its context. */
export function unaccounted(prose: string, { said, plain = [] }: PageNumbers): string[] {
  let rest = prose.replaceAll(STATUS_AND_CODES, '$2');
  for (const phrase of [...said, ...plain].toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(phrase, '');
  rest = rest
    .replaceAll(NAMES, '')
    .replaceAll(STEP, '')
    .replaceAll(/`[^`]*`/g, '``');
  return [...rest.matchAll(/.{0,30}\d.{0,30}/g)].map(([found]) => found);
}
