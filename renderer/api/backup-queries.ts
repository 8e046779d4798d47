import { useMutation, useQuery } from '@tanstack/react-query';
import type { AuditRow } from '#common/model/audit.ts';
import { call, callStream } from './client.ts';
import { fileName, type DownloadedFile } from './download.ts';
import { ApiError } from './problem.ts';

/** Backups as hooks; they need `access_settings`. */
const BACKUP_MS_MAX = 15 * 60_000;

interface BackupInput {
  passphrase: string;
  signal: AbortSignal;
  /** Bytes received so far. */
  onBytes: (bytes: number) => void;
}

async function makeBackup({ passphrase, signal, onBytes }: BackupInput): Promise<DownloadedFile> {
  const response = await callStream('POST /backup', { body: { passphrase }, signal, msMax: BACKUP_MS_MAX });
  const { body, headers } = response;
  if (body === null) throw new ApiError(0, 'unreachable', 'The backup came without content.');
  try {
    return {
      name: fileName(headers) ?? 'sluice.backup',
      content: await new Response(body.pipeThrough(counting(onBytes))).blob(),
    };
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError(0, 'unreachable', 'The backup broke off; what had come was thrown away.');
  }
}

function counting(onBytes: (bytes: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
}

/** The whole file; an incomplete one is discarded. */
export function useMakeBackup() {
  return useMutation({ gcTime: 0, mutationFn: makeBackup });
}

/** Number of searched rows of the journal. */
const ROWS_LOOKED_AT = 1000;

export interface LastBackup {
  /** Null: none of the last actions was a backup. */
  row: AuditRow | null;
  /** The latest restore with a known outcome; null: none among the last acts. */
  restore: AuditRow | null;
  /** Whether there are acts older than those that were looked at. */
  more: boolean;
}

/** The latest backup in the journal. Needs `view_audit`. */
export function useLastBackup(enabled: boolean) {
  return useQuery({
    queryKey: ['last-backup'],
    queryFn: async ({ signal }): Promise<LastBackup> => {
      const query = { type: 'admin', limit: ROWS_LOOKED_AT };
      const { items, next } = await call('GET /audit', { query, signal });
      return {
        row: items.find(({ act, status }) => act === 'backup' && status === 200) ?? null,
        restore: items.find(({ act, status }) => act === 'restore' && status !== undefined) ?? null,
        more: next !== null,
      };
    },
    enabled,
  });
}
