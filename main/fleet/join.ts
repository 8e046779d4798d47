import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import type { Logger } from '#common/node/log.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EnrolRequest } from '#common/fleet/records.ts';
import { openRecord, trusted } from '#common/node/fleet/envelope.ts';
import { makePair } from '#common/node/fleet/raw-keys.ts';
import { openSealed } from '#common/node/fleet/seal.ts';
import type { Vault } from '../contracts.ts';
import { SUBJECTS } from './nats/config.ts';
import { nkeyOf } from './nats/jwt.ts';
import { connectOnce } from './nats/nats-transport.ts';
import { certificateDigest, enrolMac, enrolUser, type JoinToken } from './token.ts';
import { type EdgeSecret, expectNoFleet, makeEdge } from './edge-state.ts';

const CONNECT_MS_MAX = 10_000;
const ENROL_MS_MAX = 10_000;

/**
 * Enrols this machine with the token of a hub; resolves with its name. Only a hub whose certificate authority has the
 * digest in the token gets anything from it, and only an answer under the root key in the token is accepted.
 */
export async function join(vault: Vault, token: JoinToken, log: Logger): Promise<{ edge: string; address: string }> {
  vault.read(expectNoFleet);
  const authority = await authorityOf(token);
  const enrolment = prepareEnrolment(token);
  const answer = await ask(token, authority, enrolment.request, log);
  const { secret, pepper } = enrolment.opened(authority, answer);
  await makeEdge(vault, secret, pepper);
  return { edge: token.edge, address: token.address };
}

/** New keys of this machine, with the request that enrols them and what its answer makes of them. */
export function prepareEnrolment(token: JoinToken) {
  const identity = makePair('Ed25519');
  const seal = makePair('X25519');
  const nkey = makePair('Ed25519');
  const unsigned: Omit<EnrolRequest, 'mac'> = {
    token: token.id,
    nonce: randomBytes(16).toString('base64url'),
    identity: identity.x,
    seal: seal.x,
    nkey: nkeyOf('user', nkey),
  };
  return {
    request: Buffer.from(JSON.stringify({ ...unsigned, mac: enrolMac(token.secret, unsigned) })),
    /** Throws SluiceError `conflict` for an answer that is not from the hub of the token, and for a refusal. */
    opened(authority: string, answer: Uint8Array): { secret: EdgeSecret; pepper: Buffer } {
      const { welcome, trust } = opened(token, answer);
      if (welcome.nonce !== unsigned.nonce || welcome.edge !== token.edge || welcome.fleet !== token.fleet)
        throw notOfHub();
      const { fleet, edge, address, root } = token;
      const { jwt, latest: have } = welcome;
      const own = { identity, seal, nkey, changed: [], refused: null, project: null };
      const secret = { fleet, edge, address, authority, root, trust, jwt, have, ...own };
      return { secret, pepper: openSealed(seal, welcome.pepper) };
    },
  };
}

/** PEM of the authority that the hub shows, if it is the one in the token. */
async function authorityOf({ address, authority }: JoinToken): Promise<string> {
  const { host, port } = placeOf(address);
  // The chain is checked below, against the token, and by every later connection, against the authority found here.
  const socket = connect({ host, port, rejectUnauthorized: false, timeout: CONNECT_MS_MAX });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
      socket.once('timeout', () => reject(new Error('no answer')));
    });
    for (
      let shown = socket.getPeerX509Certificate(), left = 4;
      shown && left > 0;
      shown = shown.issuerCertificate, left--
    )
      if (certificateDigest(shown.raw) === authority) return shown.toString();
  } catch (cause) {
    throw unreachable(address, cause);
  } finally {
    socket.destroy();
  }
  throw new SluiceError('conflict', `${address} is not the hub of the token: its certificate is of another authority.`);
}

async function ask(token: JoinToken, authority: string, request: Uint8Array, log: Logger): Promise<Uint8Array> {
  const user = { name: token.id, jwt: token.jwt, pair: enrolUser(token.secret) };
  const connection = await connectOnce({ server: token.address, authority, user, log }).catch((cause: unknown) => {
    throw /auth/i.test(String(cause))
      ? new SluiceError(
          'conflict',
          'The hub does not accept the token any more; make a new one with "sluice hub token".',
        )
      : unreachable(token.address, cause);
  });
  try {
    return await connection.request(SUBJECTS.enrol, request, ENROL_MS_MAX);
  } catch (cause) {
    throw unreachable(token.address, cause);
  } finally {
    await connection.close();
  }
}

function opened({ root }: JoinToken, answer: Uint8Array) {
  refuseError(answer);
  try {
    // The trust record inside says which key has signed the answer, so that it is read twice: first unverified.
    const trust = trustIn(answer);
    const { keys } = openRecord('trust', Buffer.from(trust, 'base64url'), trusted(root));
    return { welcome: openRecord('welcome', answer, trusted(...keys.map((key) => key.public))), trust };
  } catch (cause) {
    throw notOfHub(cause);
  }
}

/** The JSON between head and signature. */
function trustIn(answer: Uint8Array): string {
  const text = Buffer.from(answer).subarray(16, -64).toString('utf8');
  const { trust } = JSON.parse(text) as { trust?: unknown };
  return typeof trust === 'string' ? trust : '';
}

function refuseError(answer: Uint8Array): void {
  if (answer[0] !== '{'.charCodeAt(0)) return;
  const { error } = JSON.parse(Buffer.from(answer).toString('utf8')) as { error?: unknown };
  throw new SluiceError('conflict', typeof error === 'string' ? error.slice(0, 500) : 'The hub refused the enrolment.');
}

function placeOf(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tls://${address}`);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function unreachable(address: string, cause: unknown): SluiceError {
  return new SluiceError('conflict', `The hub at ${address} cannot be reached; expected an open port.`, { cause });
}

function notOfHub(cause?: unknown): SluiceError {
  return new SluiceError('conflict', 'The answer is not from the hub of the token; nothing was changed.', { cause });
}
