import { z } from 'zod';
import { PERMISSIONS } from '../model/records.ts';
import { RESTORE_BYTES_MAX, RESTORE_JOURNALS, RESTORE_PIECE_BYTES } from '../model/restore.ts';
import { declareCall } from './declaration.ts';
import { expected } from '../errors/rules.ts';

export const BACKUP_ACCESS = 'access_settings';

const PASSPHRASE_CHARS_MIN = 12;
const passphrase = z
  .string({ error: expected('text') })
  .min(PASSPHRASE_CHARS_MIN, expected('length_min', { min: PASSPHRASE_CHARS_MIN }))
  .max(1024, expected('length_max', { max: 1_024 }));

const UPLOAD = '/restore/:upload';
const COUNT = expected('range', { what: 'a number of bytes', from: 1, to: RESTORE_BYTES_MAX });
const count = z.int({ error: COUNT });
const PIECE = 'expected the bytes of a piece in base64';
const PIECE_CHARS_MAX = Math.ceil(RESTORE_PIECE_BYTES / 3) * 4;

const namedKeys = z.strictObject({ count: z.number(), names: z.array(z.string()) });
const previewRecord = z.strictObject({
  createdAt: z.string(),
  machine: z.string().nullable().meta({ description: 'The PC that it was made on; null: the backup does not say.' }),
  version: z.string().nullable(),
  projects: z.number(),
  pipelines: z.number(),
  keys: z.number().meta({ description: 'Keys that are valid in the backup.' }),
  users: z.number().meta({ description: 'Active users.' }),
  journal: z.enum(RESTORE_JOURNALS).meta({
    description:
      'The journal after the restore: `kept` = of this PC, it continues from the backup; `other` = of this PC, but not of the PC of the backup; `earlier` = of a backup that was restored before; `restored` = of this backup; `none`.',
  }),
  revokedSince: namedKeys.meta({ description: 'Valid in the backup, revoked here.' }),
  lost: namedKeys.meta({ description: 'Valid here, unknown to the backup.' }),
  uiUrl: z.string().nullable().meta({ description: 'The new address of the admin UI, if it changes.' }),
});

export const backupContract = {
  create: declareCall({
    method: 'post',
    path: '/backup',
    access: BACKUP_ACCESS,
    usersOnly: true,
    audit: ['backup'],
    summary: 'Create a backup',
    description:
      'Downloads one file with everything but journal and history. Its secret is wrapped by the passphrase, which a restore needs.',
    body: z.strictObject({ passphrase }),
    response: null,
    contentType: 'application/octet-stream',
  }),
  beginRestore: declareCall({
    method: 'post',
    path: '/restore',
    access: PERMISSIONS,
    audit: { none: 'Reserves room for an upload and changes nothing.' },
    summary: 'Begin a restore',
    description:
      'Begins the upload of a backup and returns its ID. There is one upload at a time: an earlier one is removed. It is also removed after 30 min without a request, and when Sluice stops.',
    body: z.strictObject({ bytes: count.min(1, COUNT).max(RESTORE_BYTES_MAX, COUNT) }),
    errors: ['disk_reserve'],
    status: 201,
    response: z.strictObject({ upload: z.string() }),
  }),
  sendRestore: declareCall({
    method: 'post',
    path: `${UPLOAD}/pieces`,
    access: PERMISSIONS,
    audit: { none: 'Adds to an upload and changes nothing.' },
    summary: 'Send a piece of a backup',
    description: `Appends bytes, in base64, to the upload. \`at\` is the number of bytes that were sent before. A piece has at most ${RESTORE_PIECE_BYTES / 1024 ** 2} MiB.`,
    body: z.strictObject({ at: count.min(0, COUNT), base64: z.base64({ error: PIECE }).max(PIECE_CHARS_MAX, PIECE) }),
    bodyBytesMax: PIECE_CHARS_MAX + 1024,
    errors: ['disk_reserve'],
    response: z.strictObject({ received: z.number() }),
  }),
  checkRestore: declareCall({
    method: 'post',
    path: `${UPLOAD}/check`,
    access: PERMISSIONS,
    audit: { none: 'Reads the uploaded backup and changes nothing.' },
    summary: 'Check a backup',
    description:
      'Decrypts and verifies the whole backup and returns its contents, the keys that would become valid or invalid, and which journal would apply.',
    body: z.strictObject({ passphrase }),
    errors: ['disk_reserve'],
    response: previewRecord,
  }),
  applyRestore: declareCall({
    method: 'post',
    path: `${UPLOAD}/apply`,
    access: PERMISSIONS,
    audit: ['restore'],
    summary: 'Restore a backup',
    description:
      'Restores the checked backup: Sluice stops serving, replaces its data and starts again. The reply comes before that. `machine` is the name of this PC, as a confirmation. All sessions end.',
    body: z.strictObject({
      machine: z.string({ error: expected('text') }).max(255, expected('length_max', { max: 255 })),
    }),
    status: 202,
    response: null,
  }),
  cancelRestore: declareCall({
    method: 'delete',
    path: UPLOAD,
    access: PERMISSIONS,
    audit: { none: 'Removes an upload and changes nothing.' },
    summary: 'Cancel a restore',
    description: 'Removes the uploaded backup.',
    response: null,
  }),
};
