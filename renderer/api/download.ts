import { getStream } from './client.ts';
import { ApiError } from './problem.ts';

/** A whole export of the journal on a slow disk. */
const DOWNLOAD_MS_MAX = 15 * 60_000;

export interface DownloadedFile {
  name: string;
  content: Blob;
}

/**
 * Reads a file of the admin API completely; `path` is relative to /api/v1. A download by the browser cannot send the
 * token of the session. Throws ApiError.
 */
export async function download(path: string): Promise<DownloadedFile> {
  const response = await getStream(path, { msMax: DOWNLOAD_MS_MAX });
  try {
    return { name: fileName(response.headers) ?? nameIn(path), content: await response.blob() };
  } catch {
    throw new ApiError(0, 'unreachable', 'The file broke off.');
  }
}

/** The file name in the response; null if there is none. */
export function fileName(headers: Headers): string | null {
  return /filename="?([^"/\\;]+)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
}

function nameIn(path: string): string {
  return path.replace(/\?.*/, '').split('/').at(-1) ?? '';
}
