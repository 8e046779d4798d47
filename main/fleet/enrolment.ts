import { randomBytes } from 'node:crypto';
import { SluiceError } from '#common/errors/catalogue.ts';
import { edgeName, enrolRequest, type EnrolRequest, type RecordOf } from '#common/fleet/records.ts';
import { equalSecrets } from '#common/node/equal-secrets.ts';
import { signerOf, signRecord } from '#common/node/fleet/envelope.ts';
import { kidOf } from '#common/node/fleet/raw-keys.ts';
import { sealTo } from '#common/node/fleet/seal.ts';
import type { Vault } from '../contracts.ts';
import { fleetPepper } from '../vault/fleet-secrets.ts';
import type { HubState, Token } from './hub-state.ts';
import { enrolSubjects } from './nats/config.ts';
import { issuerOf, makeJwt, nkeyOf, scopedUserClaims, userClaims } from './nats/jwt.ts';
import { certificateDigest, enrolMac, enrolUser, tokenText } from './token.ts';

const ENROL_BYTES_MAX = 8_192;

export interface EnrolmentParts {
  vault: Vault;
  state: HubState;
  /** Of the newest revocation. */
  serial(): number;
  /** Performs an audited act on an edge. */
  act<T>(act: string, edge: string, by: string, perform: () => Promise<T>): Promise<T>;
  warn(subject: string, error: unknown): void;
}

/** How a hub admits edges: one-time tokens, and the answers to the machines that have one. */
export class Enrolment {
  readonly #parts: EnrolmentParts;

  constructor(parts: EnrolmentParts) {
    this.#parts = parts;
  }

  /** The text of a new token. Throws SluiceError `invalid`, `conflict`, `unknown`. */
  async token(edge: string, ttlMs: number, by: string, replaces: boolean): Promise<string> {
    if (!edgeName.safeParse(edge).success)
      throw new SluiceError('invalid', 'edge: expected lower-case letters, digits and hyphens, such as line-7');
    const { state } = this.#parts;
    const { address, authority, root, fleet, nats } = state.secret();
    const id = randomBytes(12).toString('base64url');
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = Date.now() + ttlMs;
    const claims = userClaims(
      'enrol',
      nkeyOf('user', enrolUser(secret)),
      enrolSubjects(id),
      Math.ceil(expiresAt / 1000),
    );
    const jwt = makeJwt(issuerOf('account', nats.account), claims, Date.now());
    await this.#parts.act('edge.invite', edge, by, () =>
      state.addToken({ id, edge, secret, expiresAt, by, replaces }, Date.now()),
    );
    const ca = certificateDigest(authority.certificate);
    return tokenText({ address, authority: ca, root: root.x, fleet, edge, id, secret, jwt });
  }

  /** The answer to an enrolment: a signed welcome, or JSON with the reason of a refusal; and the token of an admitted edge. */
  async answer(bytes: Uint8Array): Promise<{ answer: Buffer; admitted: Token | null }> {
    try {
      return await this.#admitted(bytes);
    } catch (error) {
      const known = error instanceof SluiceError;
      if (!known) this.#parts.warn('enrolment', error);
      const sentence = known ? error.message : 'The hub could not admit the edge; its log has the cause.';
      return { answer: Buffer.from(JSON.stringify({ error: sentence })), admitted: null };
    }
  }

  async #admitted(bytes: Uint8Array): Promise<{ answer: Buffer; admitted: Token }> {
    const request = readEnrolRequest(bytes);
    const { state } = this.#parts;
    const token = state.token(request.token);
    if (token === null || token.expiresAt <= Date.now())
      throw new SluiceError('conflict', 'The token was already used, has expired, or was never made.');
    if (!equalSecrets(request.mac, enrolMac(token.secret, request)))
      throw new SluiceError('invalid', 'The enrolment does not match the token.');
    const epoch = state.lastEpoch(token.edge);
    const welcome = this.#welcome(request, token.edge, epoch);
    const { identity, seal, nkey } = request;
    const joinedAt = new Date().toISOString();
    const member = { edge: token.edge, identity, seal, nkey, joinedAt, epoch, project: null, assignment: null };
    await this.#parts.act('edge.join', token.edge, token.by, () => state.admit(request.token, member, Date.now()));
    return { answer: welcome, admitted: token };
  }

  #welcome(request: EnrolRequest, edge: string, epoch: number): Buffer {
    const { fleet, term, nats, root, sign } = this.#parts.state.secret();
    const pepper = this.#parts.vault.read(fleetPepper);
    if (pepper === null) throw new Error('the vault of the hub has no pepper');
    const keys = [{ kid: kidOf(sign.x), public: sign.x }];
    const claims = scopedUserClaims(edge, request.nkey, nkeyOf('account', nats.account));
    const welcome: RecordOf<'welcome'> = {
      fleet,
      edge,
      nonce: request.nonce,
      trust: signRecord('trust', { fleet, term, keys }, signerOf(root)).toString('base64url'),
      jwt: makeJwt(issuerOf('account', nats.edges), claims, Date.now()),
      pepper: sealTo(request.seal, pepper),
      latest: { term, epoch, serial: this.#parts.serial() },
    };
    return signRecord('welcome', welcome, signerOf(sign));
  }
}

function readEnrolRequest(bytes: Uint8Array): EnrolRequest {
  try {
    if (bytes.length <= ENROL_BYTES_MAX) return enrolRequest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    // The same sentence.
  }
  throw new SluiceError('invalid', 'The enrolment cannot be read; expected one of a Sluice of the same version.');
}
