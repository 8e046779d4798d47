import type { Socket } from 'node:net';
import { type TLSSocket, connect, getCACertificates } from 'node:tls';
import { isIP } from 'node:net';
import type { ConnectionOf } from '#common/model/connection.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { ConnectionLost, dial, noAnswer, whereIs, whyNot } from '../dial.ts';

export type MqttConnection = ConnectionOf<'mqtt'> & { readonly id: string };

/**
 * TCP to the checked address and, if required, TLS with the connection's own name. TLS is established, including its
 * checks, before anything is sent: the password is never sent to a server that failed them. Throws ConnectionLost; the
 * reason of the signal if that aborts.
 */
export async function openStream(
  connection: MqttConnection,
  guard: TargetGuard,
  limitMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dial(guard, connection, limitMs, signal);
  if (connection.tls === 'off') return socket;
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await secured(socket, connection, AbortSignal.any([signal, limit]));
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    throw new ConnectionLost(limit.aborted ? noAnswer(connection, limitMs) : tlsReason(connection, cause), { cause });
  }
}

function secured(socket: Socket, connection: MqttConnection, signal: AbortSignal): Promise<TLSSocket> {
  const { host, tls, ca, clientCertificate, clientKey } = connection;
  const name = host.replaceAll(/[[\]]/g, '');
  return new Promise((resolve, reject) => {
    // Throws for an unreadable certificate or key, which rejects the promise.
    const stream = connect({
      socket,
      host: name,
      ...(isIP(name) === 0 && { servername: name }),
      rejectUnauthorized: tls === 'verify',
      ca: ca ?? getCACertificates('system'),
      ...(clientCertificate !== null && { cert: clientCertificate }),
      ...(clientKey !== null && { key: clientKey }),
    });
    const abort = () => stream.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('closed')));
    stream.once('secureConnect', () => {
      signal.removeEventListener('abort', abort);
      stream.removeAllListeners('error').removeAllListeners('close');
      resolve(stream);
    });
  });
}

/** Only the code: messages of the TLS library may quote their input. */
function tlsReason(connection: MqttConnection, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNRESET' || code === '') return `${whereIs(connection)} does not agree on TLS`;
  if (/^ERR_(?:SSL|OSSL)/.test(code)) return `TLS with ${whereIs(connection)} failed (${code})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${whereIs(connection)} is for another host name`;
  if (/^E[A-Z]+$/.test(code)) return whyNot(connection, cause);
  return `the certificate of ${whereIs(connection)} is not trusted (${code})`;
}
