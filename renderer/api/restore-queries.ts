import { useMutation } from '@tanstack/react-query';
import { RESTORE_PIECE_BYTES } from '#common/model/restore.ts';
import { base64Of } from './base64-of.ts';
import { call } from './client.ts';

/** A restore as hooks; it needs every permission. */

/** Decrypting, unpacking and checking 8 GiB. */
const CHECK_MS_MAX = 15 * 60_000;

interface UploadInput {
  file: Blob;
  signal: AbortSignal;
  /** Bytes that Sluice has. */
  onBytes: (bytes: number) => void;
}

/** Returns the ID of the upload. */
export function useUploadBackup() {
  return useMutation({
    gcTime: 0,
    mutationFn: async ({ file, signal, onBytes }: UploadInput) => {
      const { upload } = await call('POST /restore', { body: { bytes: file.size }, signal });
      for (let at = 0; at < file.size;) {
        const base64 = await base64Of(file.slice(at, at + RESTORE_PIECE_BYTES));
        const { received } = await call('POST /restore/:upload/pieces', {
          path: { upload },
          body: { at, base64 },
          signal,
        });
        at = received;
        onBytes(at);
      }
      return upload;
    },
  });
}

/** The passphrase is not kept by the mutation. */
export function useCheckBackup() {
  return useMutation({
    gcTime: 0,
    mutationFn: ({ upload, passphrase }: { upload: string; passphrase: string }) =>
      call('POST /restore/:upload/check', { path: { upload }, body: { passphrase }, msMax: CHECK_MS_MAX }),
  });
}

export function useApplyRestore() {
  return useMutation({
    mutationFn: ({ upload, machine }: { upload: string; machine: string }) =>
      call('POST /restore/:upload/apply', { path: { upload }, body: { machine } }),
  });
}

/** Best effort: Sluice removes an upload without requests by itself. */
export function cancelRestore(upload: string): void {
  call('DELETE /restore/:upload', { path: { upload } }).catch(() => undefined);
}
