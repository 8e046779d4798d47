/**
 * Workspace files (docs/spec/capabilities.md#files): one folder per project; workspace.ts checks the format and target
 * of paths.
 *
 * Errors: `file_path_invalid`, `file_unknown`, `file_too_large`, `files_full`, `disk_reserve`, `file_invalid` (the
 * content does not fit the format), `file_not_regular` (a link, pipe, device, or a folder where a file is expected),
 * `files_unavailable` (an error of the disk; the log has the reason). Limits: those of a workspace (workspace.ts); the
 * broker limits the waiting calls.
 */
import { join } from 'node:path';
import type { NodeCode } from '#common/errors/node-codes.ts';
import { PROJECT_ID } from '#common/model/ids.ts';
import type { Logger } from '#common/node/log.ts';
import type { DiskRoom } from '../disk-meter.ts';
import { NodeError } from '#sdk';
import type { Capability } from '../contract.ts';
import { codeOf, openFolderHandle, type OpenFolderHandle } from './folder-handle.ts';
import { QUOTA_BYTES } from './usage.ts';
import { Workspace } from './workspace.ts';
import { quoted } from './workspace-path.ts';

export interface FileParts {
  readonly dataDir: string;
  readonly log: Logger;
  /** Of one project. */
  readonly quotaBytes?: number;
  readonly disk: DiskRoom;
  /** How folders are opened; tests also use the implementation for systems without `/proc`. */
  readonly open?: OpenFolderHandle;
}

export type FileCalls = 'files.read' | 'files.list' | 'files.write' | 'files.remove';

const CODES: Readonly<Record<string, readonly [code: NodeCode, message: string]>> = {
  ENOSPC: ['disk_reserve', 'the disk is full'],
  EDQUOT: ['disk_reserve', 'the disk quota of the gateway is used up'],
  ENAMETOOLONG: ['file_path_invalid', 'the path is too long for this system'],
  ENOENT: ['file_unknown', 'it was removed meanwhile'],
  ENOTDIR: ['file_not_regular', 'a name on the way is no folder'],
  EISDIR: ['file_not_regular', 'it is a folder'],
  ELOOP: ['file_not_regular', 'links are not followed'],
  ENXIO: ['file_not_regular', 'it is no file'],
};

export function createFiles(parts: FileParts): Capability<FileCalls> {
  const { dataDir, log, quotaBytes = QUOTA_BYTES, open = openFolderHandle, disk } = parts;
  const workspaces = new Map<string, Workspace>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  function workspaceOf(project: string): Workspace {
    if (closed || !PROJECT_ID.test(project)) throw new Error('there is no such project, or the gateway is ending');
    const known = workspaces.get(project);
    if (known !== undefined) return known;
    const made = new Workspace({
      root: join(dataDir, 'projects', project, 'files'),
      quotaBytes,
      open,
      disk: {
        expectRoom: (bytes) => disk.expectRoom(project, bytes),
        grew: (bytes, pipeline) => disk.grew(project, 'files', bytes, pipeline),
      },
    });
    workspaces.set(project, made);
    return made;
  }

  /** Tracks work in progress, so that `close` can wait for it. */
  async function using<T>(project: string, path: string, work: (workspace: Workspace) => Promise<T>): Promise<T> {
    const begin = async (): Promise<T> => work(workspaceOf(project));
    const promise = begin();
    const settled = promise.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(settled);
    try {
      return await promise;
    } catch (error) {
      throw tell(project, path, error);
    } finally {
      underWay.delete(settled);
    }
  }

  function tell(project: string, path: string, error: unknown): NodeError {
    // A sentence with a rule contains the path itself.
    if (error instanceof NodeError && error.sentence !== undefined) return error;
    if (error instanceof NodeError)
      return new NodeError(error.code, `${quoted(path)}: ${error.message}`, { cause: error });
    const [code, message] = CODES[codeOf(error) ?? ''] ?? ['files_unavailable', 'the workspace cannot be used now'];
    if (code === 'files_unavailable') log.error('the workspace of a project is not available', { project, error });
    return new NodeError(code, `${quoted(path)}: ${message}`, { cause: error });
  }

  return {
    calls: {
      'files.read': ({ path, format }, { project }, signal) =>
        using(project, path, (workspace) => workspace.read(path, format, signal)),
      'files.list': ({ folder }, { project }, signal) =>
        using(project, folder, (workspace) => workspace.list(folder, signal)),
      'files.write': ({ path, content, format }, { project, pipeline }, signal) =>
        using(project, path, (workspace) => workspace.write({ path, content, format, pipeline }, signal)),
      'files.remove': ({ path }, { project }, signal) =>
        using(project, path, (workspace) => workspace.remove(path, signal)),
    },
    rehearsals: {
      'files.write': ({ path, content, format }, { project }, signal) =>
        using(project, path, (workspace) => workspace.checkWrite({ path, content, format }, signal)),
      'files.remove': ({ path }, { project }, signal) =>
        using(project, path, (workspace) => workspace.has(path, signal)),
    },
    configure(project, resources) {
      if (resources === null) workspaces.delete(project);
      // In the background: it only has to be done before the first change, which waits for it.
      else void using(project, '', (workspace) => workspace.prepare()).catch(() => undefined);
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}
