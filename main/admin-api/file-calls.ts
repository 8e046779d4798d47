import { z } from 'zod';
import { filePath } from '#common/capabilities/calls.ts';
import { fileContract } from '#common/contract/file.ts';
import { performAct } from './acts.ts';
import { checked, type Context, defineCall } from './call.ts';
import { capability } from './capability.ts';
import { capabilityPage } from './capability-page.ts';
import { removeByCapability } from './remove-by-capability.ts';
import { projectOf } from './project-calls.ts';

/**
 * Workspace files of a project, stored and confined by the gateway. A path is one segment of the URL, with `/` encoded
 * as `%2F`; bytes are sent as `{ "base64": … }`.
 */

const base64 = z.strictObject({ base64: z.base64('expected base64') });

export const fileCalls = [
  defineCall(fileContract.list, {
    handle: (services, context) => capabilityPage(services, context, 'files.list', context.query),
  }),
  defineCall(fileContract.read, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      const path = pathOf(context);
      const { format: wanted } = context.query;
      const content = await capability(services, id, 'files.read', { path, format: wanted });
      return { path, format: wanted, content };
    },
  }),
  defineCall(fileContract.write, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const path = pathOf(context);
      const { content, format: given } = context.body;
      if (given === 'bytes') checked(z.strictObject({ content: base64 }), { content });
      const written = await performAct(
        services,
        context,
        { project, target: path },
        () =>
          services.locks.shared(project, () =>
            capability(services, project, 'files.write', { path, content, format: given }, context.who),
          ),
        ({ bytes }) => ({ detail: `${bytes} bytes` }),
      );
      services.hub.publish({ kind: 'changed', what: 'file', project });
      return written;
    },
  }),
  defineCall(fileContract.remove, {
    async handle(services, context) {
      const path = pathOf(context);
      await removeByCapability(services, context, { what: 'file', call: 'files.remove', args: { path }, target: path });
      return null;
    },
  }),
];

function pathOf({ param }: Pick<Context<unknown, unknown>, 'param'>): string {
  return checked(z.strictObject({ file: filePath }), { file: param('file') }).file;
}
