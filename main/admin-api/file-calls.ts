import { z } from 'zod';
import { CALLS, filePath } from '#common/capabilities/calls.ts';
import { performAct } from './acts.ts';
import { checked, type Context, defineCall, unknown } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';
import { listOf, page } from '#common/contract/records.ts';

/**
 * Workspace files of a project, kept and confined by the gateway. A path is one segment of the URL, its `/` written
 * `%2F`; bytes travel as `{ "base64": … }`.
 */
const FILES = '/projects/:project/files';
const FILE = `${FILES}/:file`;
/** Some 16 MiB of bytes in base64. No other call takes as much. */
const FILE_BODY_BYTES_MAX = 24 * 1024 * 1024;

const { format } = CALLS['files.read'].args.shape;
const { folder } = CALLS['files.list'].args.shape;
const fileEntry = z.strictObject({
  name: z.string(),
  folder: z.boolean(),
  bytes: z.number(),
  modifiedAt: z.string(),
});
const base64 = z.strictObject({ base64: z.base64('expected base64') });

export const fileCalls = [
  defineCall({
    method: 'get',
    path: FILES,
    access: 'view',
    summary: 'List a folder',
    description: "Lists files and folders of the project's workspace. Without `folder` it lists the top folder.",
    query: z.strictObject({ folder }),
    response: listOf(fileEntry),
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await capability(services, id, 'files.list', context.query));
    },
  }),
  defineCall({
    method: 'get',
    path: FILE,
    access: 'view',
    summary: 'Read a file',
    description:
      'Reads one file of the workspace in the requested format. The path is one segment of the URL, with `/` written as `%2F`. Bytes come as `{ "base64": … }`.',
    query: z.strictObject({ format }),
    response: z.strictObject({ path: z.string(), format, content: z.unknown() }),
    async handle(services, context) {
      const { id } = projectOf(services, context);
      const path = pathOf(context);
      const { format: wanted } = context.query;
      const content = await capability(services, id, 'files.read', { path, format: wanted });
      return { path, format: wanted, content };
    },
  }),
  defineCall({
    method: 'put',
    path: FILE,
    access: 'edit_pipelines',
    audit: ['file.write'],
    summary: 'Write a file',
    description:
      'Writes a file as a whole. The path is one segment of the URL, with `/` written as `%2F`. Bytes are sent as `{ "base64": … }`.',
    body: z.strictObject({
      content: z.unknown().refine((content) => content !== undefined, 'expected the content of the file'),
      format,
    }),
    bodyBytesMax: FILE_BODY_BYTES_MAX,
    response: z.strictObject({ bytes: z.number() }),
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
            capability(services, project, 'files.write', { path, content, format: given }),
          ),
        ({ bytes }) => ({ detail: `${bytes} bytes` }),
      );
      services.hub.publish({ kind: 'changed', what: 'file', project });
      return written;
    },
  }),
  defineCall({
    method: 'delete',
    path: FILE,
    access: 'edit_pipelines',
    audit: ['file.delete'],
    summary: 'Delete a file',
    description: 'Deletes one file of the workspace. The path is one segment of the URL, with `/` written as `%2F`.',
    response: null,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const path = pathOf(context);
      await performAct(services, context, { project, target: path }, async () => {
        const removed = await services.locks.shared(project, () =>
          capability(services, project, 'files.remove', { path }),
        );
        if (!removed) throw unknown('file');
      });
      services.hub.publish({ kind: 'changed', what: 'file', project });
      return null;
    },
  }),
];

function pathOf({ param }: Pick<Context<unknown, unknown>, 'param'>): string {
  return checked(z.strictObject({ file: filePath }), { file: param('file') }).file;
}
