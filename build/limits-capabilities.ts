import { POOL_SESSIONS_DEFAULT, POOL_SESSIONS_MAX } from '#common/model/connection.ts';
import { namedQuery, QUERY_PARAMS_MAX, QUERY_ROWS_MAX, SQL_CHARS_MAX } from '#common/model/named-query.ts';
import { settingsSchema } from '#common/model/settings.ts';
import * as db from '../gateway/capabilities/db/limits.ts';
import * as embedded from '../gateway/capabilities/db/embedded/limits.ts';
import { CALLS_MAX, CALLS_PER_PROJECT_MAX } from '../gateway/capabilities/capability-broker.ts';
import { CELLS_MAX, COLUMNS_MAX, ROWS_MAX } from '../gateway/capabilities/files/csv.ts';
import { FILE_BYTES_MAX } from '../gateway/capabilities/files/disk-file.ts';
import { FOLDER_ENTRIES_MAX } from '../gateway/capabilities/files/entries.ts';
import { ENTRIES_MAX, QUOTA_BYTES } from '../gateway/capabilities/files/usage.ts';
import { DEPTH_MAX, NAME_BYTES_MAX } from '../gateway/capabilities/files/workspace-path.ts';
import * as history from '../gateway/capabilities/historian/limits.ts';
import { ANSWER_BYTES_MAX, REQUEST_BYTES_MAX } from '../gateway/capabilities/http/http.ts';
import { RECONNECT_MS_MAX, RECONNECT_MS_MIN } from '../gateway/capabilities/tags/backoff.ts';
import { WRITES_PENDING_MAX, WRITES_PENDING_PER_PROJECT_MAX } from '../gateway/capabilities/tags/devices/limits.ts';
import { MESSAGE_BYTES_MAX } from '../gateway/capabilities/tags/mqtt/payload.ts';
import { TAGS_PER_CONNECTION_MAX } from '../gateway/capabilities/tags/opcua/limits.ts';
import { WATCHERS_MAX } from '../gateway/capabilities/tags/project-tags.ts';
import { VALUE_CHARS_MAX } from '../gateway/capabilities/tags/typed-value.ts';
import { VALUE_BYTES_MAX } from '../gateway/capabilities/variables/json-value.ts';
import { TOTAL_BYTES_MAX, VARIABLES_MAX } from '../gateway/capabilities/variables/variable-store.ts';
import { count, type LimitArea, size, time } from './docs/limit-row.ts';

export const CAPABILITIES: LimitArea = {
  title: 'Capability calls',
  lead: 'Each call also has a time limit: see [Capability calls](capabilities.md).',
  limits: [
    {
      what: 'Capability calls in progress',
      value: `${count(CALLS_MAX)} in all, ${count(CALLS_PER_PROJECT_MAX)} of a project`,
      atLimit: '`calls_full`',
    },
    {
      what: '`http.request` of a plugin',
      value: `${size(REQUEST_BYTES_MAX)} of request body, ${size(ANSWER_BYTES_MAX)} of answer`,
      atLimit: '`call_invalid`, `answer_too_large`',
    },
  ],
};

export const TAGS: LimitArea = {
  title: 'Tags and devices',
  limits: [
    { what: 'Tags of an OPC UA connection', value: count(TAGS_PER_CONNECTION_MAX), atLimit: 'further tags read bad' },
    {
      what: 'Text or JSON value of a tag',
      value: `${count(VALUE_CHARS_MAX)} characters`,
      atLimit: 'the tag reads bad; a write fails with `tag_type`',
    },
    { what: 'MQTT message', value: size(MESSAGE_BYTES_MAX), atLimit: 'the tag reads bad' },
    {
      what: 'Writes that wait for devices',
      value: `${count(WRITES_PENDING_MAX)} in all, ${count(WRITES_PENDING_PER_PROJECT_MAX)} of a project`,
      atLimit: '`tag_write_failed`',
    },
    { what: 'Listeners for tags of a project', value: count(WATCHERS_MAX), atLimit: '`tag_watchers_full`' },
    {
      what: 'Time between attempts to reconnect to a device',
      value: `${time(RECONNECT_MS_MIN)} to ${time(RECONNECT_MS_MAX)}`,
      atLimit: 'attempts continue indefinitely',
    },
  ],
};

export const HISTORY: LimitArea = {
  title: 'Historian',
  limits: [
    {
      what: 'Age of recorded values',
      value: time(history.RETENTION_DAYS * 86_400_000),
      atLimit: 'older values are deleted',
    },
    { what: 'Size of the history', value: size(history.HISTORY_BYTES_MAX), atLimit: 'the oldest values are deleted' },
    {
      what: 'Free disk space',
      value: `${size(settingsSchema.parse({}).diskReserveBytes)} by default`,
      setting: '`diskReserveBytes`',
      atLimit: `recording stops until the reserve plus ${size(history.DISK_MARGIN_BYTES)} is free`,
    },
    {
      what: 'Values that wait for the disk',
      value: count(history.QUEUE_POINTS_MAX),
      atLimit: 'further values are dropped, counted and logged',
    },
    {
      what: 'Values that a crash can lose',
      value: `those of the last ${time(history.BATCH_MS)}`,
      atLimit: 'journal rows and outbox events are not lost',
    },
    {
      what: 'Recorded text or JSON value',
      value: `${count(history.VALUE_CHARS_MAX)} characters`,
      atLimit: 'recorded as bad',
    },
    {
      what: 'Clock of a device ahead of Sluice',
      value: time(history.CLOCK_AHEAD_MS_MAX),
      atLimit: 'recorded with the time of arrival',
    },
    { what: 'Tags of a query', value: count(history.SERIES_PER_QUERY_MAX), atLimit: '`history_too_many_tags`' },
    { what: 'Values of an answer', value: count(history.ANSWER_POINTS_MAX), atLimit: '`history_too_many_points`' },
    {
      what: 'Queries at once',
      value: `${count(history.QUERIES_MAX)} in all, ${count(history.QUERIES_PER_PROJECT_MAX)} of a project`,
      atLimit: '`history_busy`',
    },
    { what: 'Time of a query', value: time(history.QUERY_MS_MAX), atLimit: '`history_timeout`' },
  ],
};

export const DATABASES: LimitArea = {
  title: 'Databases',
  limits: [
    { what: 'SQL of a named query', value: `${count(SQL_CHARS_MAX)} characters`, atLimit: '400 `invalid`' },
    { what: 'Parameters of a named query', value: count(QUERY_PARAMS_MAX), atLimit: '400 `invalid`' },
    {
      what: 'Rows of a named query',
      value: `${count(namedQuery.shape.rowsMax.parse(undefined))} by default, at most ${count(QUERY_ROWS_MAX)}`,
      setting: '`rowsMax` of the query',
      atLimit: 'the rest is left out and `truncated` is true',
    },
    {
      what: 'Rows of other SQL',
      value: count(db.SQL_ROWS_MAX),
      atLimit: 'the rest is left out and `truncated` is true',
    },
    {
      what: 'Size of a result',
      value: size(db.RESULT_BYTES_MAX),
      atLimit: 'the rest is left out and `truncated` is true',
    },
    { what: 'Time of a statement', value: time(db.STATEMENT_MS_MAX), atLimit: '`db_timeout`' },
    {
      what: 'Sessions of a connection',
      value: `${POOL_SESSIONS_DEFAULT} by default, at most ${POOL_SESSIONS_MAX}`,
      setting: '`poolMax` of the connection',
      atLimit: `calls wait up to ${time(db.ACQUIRE_MS_MAX)}, then \`db_pool_exhausted\``,
    },
    { what: 'Calls that wait for a session', value: count(db.WAITERS_MAX), atLimit: '`db_pool_exhausted`' },
    {
      what: 'Embedded database of a project',
      value: size(embedded.PAGES_MAX * embedded.PAGE_BYTES),
      atLimit: '`db_error`',
    },
    {
      what: 'Memory of an embedded database’s process',
      value: size(embedded.MEMORY_BYTES_MAX),
      atLimit: 'the statement fails with `db_error`',
    },
    {
      what: 'Changes of one statement or transaction in an embedded database',
      value: `half of what the project may take of the disk, at least ${size(embedded.WAL_BYTES_KEPT)}`,
      setting: '`diskReserveBytes`',
      atLimit: '`disk_reserve`; nothing is changed',
    },
    {
      what: 'Calls that wait for an embedded database',
      value: count(embedded.JOBS_MAX),
      atLimit: '`db_pool_exhausted`',
    },
  ],
};

export const FILES: LimitArea = {
  title: 'Variables and workspace files',
  limits: [
    { what: 'Variables of a project', value: count(VARIABLES_MAX), atLimit: '`variables_full`' },
    { what: 'All variables of a project', value: size(TOTAL_BYTES_MAX), atLimit: '`variables_full`' },
    { what: 'One variable', value: `${size(VALUE_BYTES_MAX)} of JSON`, atLimit: '`variable_too_large`' },
    { what: 'Workspace of a project', value: size(QUOTA_BYTES), atLimit: '`files_full`' },
    { what: 'Files and folders of a workspace', value: count(ENTRIES_MAX), atLimit: '`files_full`' },
    { what: 'Entries of one folder', value: count(FOLDER_ENTRIES_MAX), atLimit: '`files_full`' },
    { what: 'One file', value: size(FILE_BYTES_MAX), atLimit: '`file_too_large`' },
    {
      what: 'Path of a file',
      value: `${DEPTH_MAX} levels, ${NAME_BYTES_MAX} bytes a name`,
      atLimit: '`file_path_invalid`',
    },
    {
      what: 'CSV file',
      value: `${count(ROWS_MAX)} rows, ${count(COLUMNS_MAX)} columns, ${count(CELLS_MAX)} fields`,
      atLimit: '`file_too_large`',
    },
  ],
};
