import { pluginContract, ARCHIVE_EXPECTED } from '#common/contract/plugin.ts';
import { page } from '#common/contract/records.ts';
import { actDetail, versionText } from '../third-party/plugin-record.ts';
import { readArchive } from '../third-party/read-package.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { expectDiskRoom } from './expect-disk-room.ts';

/**
 * Third-party plugins (docs/spec/sandbox.md#plugins): uploaded as an archive, then approved by their digest. Nothing of
 * a plugin runs before the approval, and the approval applies only to the archive that was reviewed: another digest is
 * refused.
 */

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export const pluginCalls = [
  defineCall(pluginContract.list, {
    handle: ({ plugins }) => page(plugins.list()),
  }),
  defineCall(pluginContract.add, {
    async handle(services, context) {
      expectDiskRoom(services, context.body.archive.length);
      const bundle = await readArchive(bytesOf(context.body.archive));
      const { id, version } = bundle.manifest;
      const row = { target: id, detail: versionText({ version, digest: bundle.digest }) };
      return changed(services, context, row, () => services.plugins.add(bundle, context.session.user.name));
    },
  }),
  defineCall(pluginContract.approve, {
    handle(services, context) {
      const { digest, confirm = null } = context.body;
      const id = knownId(services, context);
      const row = { target: id, detail: actDetail(services.plugins.list(), id, digest) };
      const by = context.session.user.name;
      return changed(services, context, row, () => services.plugins.approve(id, digest, confirm, by));
    },
  }),
  defineCall(pluginContract.remove, {
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
