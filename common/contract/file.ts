import { z } from 'zod';
import { CALLS } from '../capabilities/calls.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';

/**
 * Workspace files of a project, stored and confined by the gateway. A path is one segment of the URL, with `/` encoded
 * as `%2F`; bytes are sent as `{ "base64": … }`.
 */
const FILES = '/projects/:project/files';
const FILE = `${FILES}/:file`;
/** About 16 MiB of bytes in base64. No other call accepts as much. */
const FILE_BODY_BYTES_MAX = 24 * 1024 * 1024;

const { format } = CALLS['files.read'].args.shape;
const { folder } = CALLS['files.list'].args.shape;
const fileEntry = z.strictObject({
  name: z.string(),
  folder: z.boolean(),
  bytes: z.number(),
  modifiedAt: z.string(),
});

export const fileContract = {
  list: declareCall({
    method: 'get',
    path: FILES,
    access: 'view',
    summary: 'List a folder',
    description: "Lists files and folders of the project's workspace. Without `folder` it lists the top folder.",
    query: z.strictObject({ folder }),
    response: listOf(fileEntry),
  }),
  read: declareCall({
    method: 'get',
    path: FILE,
    access: 'view',
    summary: 'Read a file',
    description:
      'Reads one file of the workspace in the requested format. The path is one segment of the URL, with `/` written as `%2F`. Bytes come as `{ "base64": … }`.',
    query: z.strictObject({ format }),
    response: z.strictObject({ path: z.string(), format, content: z.unknown() }),
  }),
  write: declareCall({
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
  }),
  remove: declareCall({
    method: 'delete',
    path: FILE,
    access: 'edit_pipelines',
    audit: ['file.delete'],
    summary: 'Delete a file',
    description: 'Deletes one file of the workspace. The path is one segment of the URL, with `/` written as `%2F`.',
    response: null,
  }),
};
