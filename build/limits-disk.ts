import { SPARE_LOG_INS_BYTES_MAX, SPARE_ROWS_BYTES_MAX } from '../main/audit/spare-rows.ts';
import { HELD_BYTES_MAX } from '../main/host/held-file.ts';
import {
  BALLAST_BYTES,
  BALLAST_MAKE_BYTES,
  BALLAST_RELEASE_BYTES,
  JOURNAL_KEEPS_FREE_BYTES,
} from '#common/node/disk-space.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { GROWTH_MS } from '../gateway/capabilities/disk-meter.ts';
import { type LimitArea, size, time } from './docs/limit-row.ts';

const RESERVE = settingsSchema.parse({}).diskReserveBytes;

export const DISK: LimitArea = {
  title: 'The disk of the data folder',
  limits: [
    {
      what: 'Free space that raises an alarm',
      value: `${size(2 * RESERVE)} by default`,
      setting: 'twice `diskReserveBytes`',
      atLimit: 'the alarm `disk_low` names the biggest recent writers',
    },
    {
      what: 'Free space that is kept',
      value: `${size(RESERVE)} by default`,
      setting: '`diskReserveBytes`',
      atLimit:
        'files, variables, memory tags, embedded databases and drafts take nothing more (`disk_reserve`), nor do historian and outbox',
    },
    {
      what: 'Growth of one project',
      value: `in ${time(GROWTH_MS)}, as much as it leaves free above the reserve`,
      atLimit: '`disk_reserve`; the outbox refuses with `outbox_full`, the historian records bad points and logs it',
    },
    {
      what: 'Ballast',
      value: size(BALLAST_BYTES),
      atLimit: `removed when less than ${size(BALLAST_RELEASE_BYTES)} is free, created again when ${size(BALLAST_MAKE_BYTES)} is free`,
    },
    {
      what: 'Restrictions that are kept across a restart while they cannot be saved',
      value: `${size(HELD_BYTES_MAX)} of JSON, about 100 of them`,
      atLimit: 'the alarm `changes_undone_by_restart`',
    },
    {
      what: 'Journal rows of user actions that are kept while the disk is full',
      value: `${size(SPARE_ROWS_BYTES_MAX)} of JSON, about 200 rows; ${size(SPARE_LOG_INS_BYTES_MAX)} of it for log-ins`,
      atLimit: '503 `audit_unavailable`',
    },
    {
      what: 'Free space that the journal of calls leaves to the host',
      value: size(JOURNAL_KEEPS_FREE_BYTES),
      atLimit: 'calls with a key get 503 `audit_unavailable`',
    },
  ],
};
