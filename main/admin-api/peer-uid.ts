import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';

/**
 * The user whose program is at the other end of a loopback connection, from the tables of Linux (proc(5),
 * /proc/net/tcp); null on other systems, for other addresses, and when the other end has closed already: the tables
 * then give its socket to root.
 */
export async function peerUid(socket: Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>) {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  if (!isIPv4(localAddress) || !remoteAddress.startsWith('127.')) return null;
  const known = uids.get(socket);
  if (known !== undefined) return known;
  const own = `${hexOf(remoteAddress)}:${portOf(remotePort)}`;
  const other = `${hexOf(localAddress)}:${portOf(localPort)}`;
  // A program may reach an IPv4 address through an IPv6 socket.
  const uid =
    (await uidIn('/proc/net/tcp', own, other)) ??
    (await uidIn('/proc/net/tcp6', `${MAPPED}${own}`, `${MAPPED}${other}`));
  if (uid !== null) uids.set(socket, uid);
  return uid;
}

/** Read once per connection: the tables are read completely, 14 ms of CPU with 1,000 connections on the machine. */
const uids = new WeakMap<object, number>();

const MAPPED = '0000000000000000FFFF0000';
const ESTABLISHED = '01';

async function uidIn(table: string, own: string, other: string): Promise<number | null> {
  const text = await readFile(table, 'latin1').catch(() => '');
  const start = text.indexOf(`: ${own} ${other} ${ESTABLISHED} `);
  if (start < 0) return null;
  const lineEnd = text.indexOf('\n', start);
  // Columns from the local address on: local, remote, state, queues, timer, retransmissions, uid.
  const uid = Number(
    text
      .slice(start + 2, lineEnd < 0 ? undefined : lineEnd)
      .trim()
      .split(/\s+/)[6],
  );
  return Number.isInteger(uid) ? uid : null;
}

/** As the kernel prints it on little-endian machines: `0100007F` for 127.0.0.1. */
function hexOf(address: string): string {
  return address
    .split('.')
    .toReversed()
    .map((byte) => hex(Number(byte), 2))
    .join('');
}

const portOf = (port: number): string => hex(port, 4);
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
