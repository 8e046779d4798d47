import { SluiceError } from '#common/errors/catalogue.ts';
import { type AdminServer, listenAdminApi } from '../admin-api/listen.ts';

/** Throws SluiceError `conflict` with one sentence that names the port and the flag. */
export async function listenForUi(app: Parameters<typeof listenAdminApi>[0], port: number): Promise<AdminServer> {
  try {
    return await listenAdminApi(app, port);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new SluiceError('conflict', uiPortRefused(code, port), { cause });
  }
}

/** `code`: Node's error code. */
export function uiPortRefused(code: string, port: number): string {
  if (code === 'EADDRINUSE') return `ui-port: port ${port} is in use by another program; choose another with --ui-port`;
  if (code === 'EACCES')
    return `ui-port: this user may not listen on port ${port}; choose 1024 or higher with --ui-port`;
  return `ui-port: cannot listen on 127.0.0.1 port ${port} (${code})`;
}
