import { z } from 'zod';
import { PLUGIN_BYTES_MAX } from '../model/plugin-manifest.ts';
import { declareCall } from './declaration.ts';
import { approvedPlugin, DIGEST_CHARS, pluginRecord } from './plugin-records.ts';
import { listOf } from './records.ts';
import { expected } from '../errors/rules.ts';

/**
 * Third-party plugins (docs/spec/sandbox.md#plugins): uploaded as an archive, then approved by their digest. Nothing of
 * a plugin runs before the approval, and the approval applies only to the archive that was reviewed: another digest is
 * refused.
 */
export const ARCHIVE_EXPECTED = 'expected the bytes of a .tgz in base64';
/** The largest archive in base64, plus the JSON around it. */
const ADD_BODY_BYTES_MAX = 28 * 1024 * 1024;

export const pluginContract = {
  list: declareCall({
    method: 'get',
    path: '/plugins',
    access: 'access_settings',
    summary: 'List plugins',
    description:
      'Lists third-party plugins with the capabilities that they ask for, whether they are approved and loaded, and the reason if not.',
    response: listOf(pluginRecord),
  }),
  add: declareCall({
    method: 'post',
    path: '/plugins',
    access: 'access_settings',
    usersOnly: true,
    audit: ['plugin.add'],
    summary: 'Add a plugin',
    description: `Uploads a .tgz package in base64, at most ${PLUGIN_BYTES_MAX / 1024 ** 2} MiB. The plugin is not loaded before it is approved.`,
    body: z.strictObject({ archive: z.string({ error: ARCHIVE_EXPECTED }) }),
    bodyBytesMax: ADD_BODY_BYTES_MAX,
    errors: ['disk_reserve'],
    status: 201,
    response: pluginRecord,
  }),
  approve: declareCall({
    method: 'post',
    path: '/plugins/:plugin/approve',
    access: 'access_settings',
    usersOnly: true,
    audit: ['plugin.approve'],
    summary: 'Approve a plugin',
    description:
      'Approves the version with this digest; its kinds can be used once the reply has come. A plugin of trusted code needs `confirm` with the text `trust <id>`.',
    body: z.strictObject({
      digest: z.string({ error: 'expected the digest of the version, 64 hex digits' }).max(DIGEST_CHARS),
      confirm: z
        .string({ error: expected('text') })
        .max(100)
        .optional(),
    }),
    response: approvedPlugin,
  }),
  remove: declareCall({
    method: 'delete',
    path: '/plugins/:plugin',
    access: 'access_settings',
    usersOnly: true,
    audit: ['plugin.remove'],
    summary: 'Remove a plugin',
    description: 'Removes all versions of the plugin. It is refused while a running pipeline uses one of its kinds.',
    response: null,
  }),
};
