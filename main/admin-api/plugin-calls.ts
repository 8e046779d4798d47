import { z } from 'zod';
import { approvedPlugin, DIGEST_CHARS, pluginRecord } from '#common/contract/plugin-records.ts';
import { actDetail, versionText } from '../third-party/plugin-record.ts';
import { ARCHIVE_BYTES_MAX, readArchive } from '../third-party/read-package.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { expectDiskRoom } from './expect-disk-room.ts';
import { listOf, page } from '#common/contract/records.ts';

/**
 * Third-party plugins (docs/spec/sandbox.md#plugins): brought as an archive, then approved by their digest. Between the
 * two nothing of a plugin is run, and what is approved is what was looked at: another digest is refused.
 */
const ARCHIVE_EXPECTED = 'expected the bytes of a .tgz in base64';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The largest archive in base64, and the JSON around it. */
const ADD_BODY_BYTES_MAX = 28 * 1024 * 1024;

export const pluginCalls = [
  defineCall({
    method: 'get',
    path: '/plugins',
    access: 'access_settings',
    summary: 'List plugins',
    description:
      'Lists third-party plugins with the capabilities that they ask for, whether they are approved and loaded, and the reason if not.',
    response: listOf(pluginRecord),
    handle: ({ plugins }) => page(plugins.list()),
  }),
  defineCall({
    method: 'post',
    path: '/plugins',
    access: 'access_settings',
    audit: ['plugin.add'],
    summary: 'Add a plugin',
    description: `Uploads a .tgz package in base64, at most ${ARCHIVE_BYTES_MAX / 1024 ** 2} MiB. The plugin is not loaded before it is approved.`,
    body: z.strictObject({ archive: z.string({ error: ARCHIVE_EXPECTED }) }),
    bodyBytesMax: ADD_BODY_BYTES_MAX,
    errors: ['disk_reserve'],
    status: 201,
    response: pluginRecord,
    async handle(services, context) {
      expectDiskRoom(services, context.body.archive.length);
      const bundle = await readArchive(bytesOf(context.body.archive));
      const { id, version } = bundle.manifest;
      const row = { target: id, detail: versionText({ version, digest: bundle.digest }) };
      return changed(services, context, row, () => services.plugins.add(bundle, context.session.user.name));
    },
  }),
  defineCall({
    method: 'post',
    path: '/plugins/:plugin/approve',
    access: 'access_settings',
    audit: ['plugin.approve'],
    summary: 'Approve a plugin',
    description:
      'Approves the version with this digest; its kinds can be used once the reply has come. A plugin of trusted code needs `confirm` with the text `trust <id>`.',
    body: z.strictObject({
      digest: z.string({ error: 'expected the digest of the version, 64 hex digits' }).max(DIGEST_CHARS),
      confirm: z.string({ error: 'expected a text' }).max(100).optional(),
    }),
    response: approvedPlugin,
    handle(services, context) {
      const { digest, confirm = null } = context.body;
      const id = knownId(services, context);
      const row = { target: id, detail: actDetail(services.plugins.list(), id, digest) };
      const by = context.session.user.name;
      return changed(services, context, row, () => services.plugins.approve(id, digest, confirm, by));
    },
  }),
  defineCall({
    method: 'delete',
    path: '/plugins/:plugin',
    access: 'access_settings',
    audit: ['plugin.remove'],
    summary: 'Remove a plugin',
    description: 'Removes all versions of the plugin. It is refused while a running pipeline uses one of its kinds.',
    response: null,
    async handle(services, context) {
      const id = knownId(services, context);
      const row = { target: id, detail: actDetail(services.plugins.list(), id) };
      await changed(services, context, row, () => services.plugins.remove(id));
    },
  }),
];

function bytesOf(archive: string): Uint8Array {
  if (archive.length % 4 === 0 && BASE64.test(archive)) return Buffer.from(archive, 'base64');
  throw invalid([{ path: 'archive', message: ARCHIVE_EXPECTED }]);
}

function knownId({ plugins }: Services, { param }: Context<unknown, unknown>): string {
  const id = param('plugin');
  if (!plugins.list().some((plugin) => plugin.id === id)) throw unknown('plugin');
  return id;
}

async function changed<T>(
  services: Services,
  context: Context<unknown, unknown>,
  row: { target: string; detail: string },
  perform: () => Promise<T>,
): Promise<T> {
  const value = await performAct(services, context, row, perform);
  services.hub.publish({ kind: 'changed', what: 'plugin' });
  return value;
}
