import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from 'sql.js';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { edgeName } from '#common/fleet/records.ts';
import { makeAuthority } from '#common/node/own-certificate.ts';
import { makePair, rawPair } from '#common/node/fleet/raw-keys.ts';
import type { Vault } from '../contracts.ts';
import { COMMAND_LINE_USER } from '../people/setup-session.ts';
import { all, text } from '../vault/rows.ts';
import { dropFleet, isEdge, isHub, listFleet, putFleet, readFleet } from '../vault/fleet-secrets.ts';

/**
 * The state of the hub in its vault: keys, open tokens, members with their newest assignment, and changes of keys. One
 * change of the vault is one transaction, and a backup contains all of it.
 */
const certificate = z.object({ certificate: z.string(), key: z.string() });

const hubSecret = z.object({
  fleet: z.string(),
  /** `host:port` that edges connect to. */
  address: z.string(),
  /** Where nats-server listens. */
  host: z.string(),
  port: z.int(),
  /** The program of nats-server; null: the installed one. */
  program: z.string().nullable(),
  root: rawPair,
  sign: rawPair,
  term: z.int(),
  authority: certificate,
  nats: z.object({ operator: rawPair, system: rawPair, account: rawPair, edges: rawPair }),
  /** Users of expelled edges, with the time in seconds up to which their JWTs are void. */
  expelled: z.record(z.string(), z.int()),
  /** New edges begin above it: the highest epoch of expelled edges that are no longer listed. */
  epochFloor: z.int(),
});
export type HubSecret = z.infer<typeof hubSecret>;
export type HubPlace = Pick<HubSecret, 'address' | 'host' | 'port' | 'program'>;

const token = z.object({
  id: z.string(),
  edge: edgeName,
  secret: z.string(),
  expiresAt: z.number(),
  by: z.string(),
  /** The edge that joins with it takes the place of the one with this name. */
  replaces: z.boolean(),
});
export type Token = z.infer<typeof token>;

const member = z.object({
  edge: edgeName,
  identity: z.string(),
  seal: z.string(),
  nkey: z.string(),
  joinedAt: z.string(),
  /** Of the newest assignment; 0: none. */
  epoch: z.int(),
  project: z.string().nullable(),
  /** The signed assignment, base64url. */
  assignment: z.string().nullable(),
});
export type Member = z.infer<typeof member>;

/** An expelled edge with its last epoch: one that joins under its name must not take its assignments. */
const formerEdge = z.object({ edge: edgeName, epoch: z.int(), at: z.string() });

const keyChange = z.object({
  serial: z.int(),
  keyId: z.string(),
  /** The limits as `limitsText` has them; null: the key is revoked. */
  limits: z.string().nullable(),
  /** The signed record, base64url. */
  record: z.string(),
});
export type KeyChange = z.infer<typeof keyChange>;

export const TOKENS_MAX = 100;
/** Expelled edges whose epochs are listed by name. */
export const FORMER_EDGES_MAX = 1_000;
/** Users that nats-server refuses. They never expire, so none can be dropped. */
export const EXPELLED_MAX = 10_000;
/** Changes of keys that not every edge has confirmed, and the length of all of them together. */
export const KEY_CHANGES_MAX = 10_000;
export const KEY_CHANGES_CHARS_MAX = 8 * 1024 ** 2;
export const MEMBERS_MAX = 1_000;
/** Of all assignments together: the vault, which holds 64 MiB, must have room for everything else. */
export const ASSIGNED_CHARS_MAX = 24 * 1024 ** 2;

export class HubState {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  secret(): HubSecret {
    return this.#vault.read(secretIn);
  }

  members(): Member[] {
    return this.#vault.read((db) => listFleet(db, 'member')).map((text) => member.parse(JSON.parse(text)));
  }

  member(edge: string): Member | null {
    return this.#vault.read((db) => memberIn(db, edge));
  }

  /** By serial. */
  keyChanges(): KeyChange[] {
    return this.#vault.read((db) => listFleet(db, 'change')).map((text) => keyChange.parse(JSON.parse(text)));
  }

  /** Of the last assignment of the edge with this name, or of one that was expelled; 0: none. */
  lastEpoch(edge: string): number {
    return this.#vault.read((db) => lastEpochIn(db, edge));
  }

  token(id: string): Token | null {
    return this.#vault.read((db) => tokenIn(db, id));
  }

  /**
   * Throws SluiceError `conflict` for the name of a member (`unknown` without one, if it is to be replaced), and beyond
   * TOKENS_MAX open tokens. Removes expired ones.
   */
  addToken(added: Token, nowMs: number): Promise<void> {
    return this.#vault.mutate((db) => {
      const tokens = listFleet(db, 'token').map((json) => token.parse(JSON.parse(json)));
      for (const { id, expiresAt } of tokens) if (expiresAt <= nowMs) dropFleet(db, `token:${id}`);
      expectPlace(db, added);
      if (tokens.filter(({ expiresAt }) => expiresAt > nowMs).length >= TOKENS_MAX)
        throw new SluiceError(
          'conflict',
          `There are ${TOKENS_MAX} open tokens; expected fewer. Each one ends when it is used or expires.`,
        );
      putFleet(db, `token:${added.id}`, JSON.stringify(added), added.by);
    });
  }

  /**
   * Uses up the token in the same transaction; the identity of an edge that is replaced ends in it too. Throws
   * SluiceError `conflict` if the token was used, the name is taken, or the epoch is not that of the last edge with this
   * name.
   */
  admit(id: string, added: Member, nowMs: number): Promise<void> {
    return this.#vault.mutate((db) => {
      const found = tokenIn(db, id);
      if (found === null) throw new SluiceError('conflict', 'The token was already used, or was never made.');
      dropFleet(db, `token:${id}`);
      expectPlace(db, found);
      if (added.epoch !== lastEpochIn(db, added.edge))
        throw new SluiceError(
          'conflict',
          `The edge ${added.edge} was expelled or got an assignment in the meantime; join again.`,
        );
      const before = memberIn(db, added.edge);
      if (before !== null) endIdentity(db, before, found.by, nowMs);
      putMember(db, { ...added, project: before?.project ?? null }, found.by);
    });
  }

  assign(edge: string, assigned: Pick<Member, 'epoch' | 'project' | 'assignment'>, by: string): Promise<void> {
    return this.#vault.mutate((db) => {
      const found = memberIn(db, edge);
      if (found === null) throw unknownEdge(edge);
      if (assigned.epoch !== found.epoch + 1)
        throw new SluiceError('conflict', `The edge ${edge} got another assignment meanwhile; repeat the command.`);
      putMember(db, { ...found, ...assigned }, by);
      const chars = listFleet(db, 'member').reduce((sum, text) => sum + text.length, 0);
      if (chars > ASSIGNED_CHARS_MAX)
        throw new SluiceError(
          'conflict',
          `The assignments of all edges would have ${chars} characters; expected at most ${ASSIGNED_CHARS_MAX}.`,
        );
    });
  }

  expel(edge: string, by: string, nowMs: number): Promise<void> {
    return this.#vault.mutate((db) => {
      const found = memberIn(db, edge);
      // The holder of the edge may have a token for its name, with --replace even for the edge that joins next.
      const tokens = listFleet(db, 'token').map((json) => token.parse(JSON.parse(json)));
      const ended = tokens.filter((one) => one.edge === edge);
      for (const { id } of ended) dropFleet(db, `token:${id}`);
      if (found === null && ended.length > 0) return;
      if (found === null) throw unknownEdge(edge);
      dropFleet(db, `member:${edge}`);
      putFormer(db, found, by, nowMs);
      endIdentity(db, found, by, nowMs);
    });
  }

  /**
   * `confirmed`: every edge has the changes up to this serial. They are dropped when there are too many. Throws SluiceError
   * `conflict` if too many are not confirmed. Revocations alone have as much room again: new limits of keys, which can be
   * long, must not keep them from the edges.
   */
  addKeyChanges(added: readonly KeyChange[], confirmed: number, by: string): Promise<void> {
    const room = added.every(({ limits }) => limits === null) ? 2 : 1;
    return this.#vault.mutate((db) => {
      for (const one of added) putFleet(db, changeRef(one.serial), JSON.stringify(one), by);
      if (areTooMany(listFleet(db, 'change'))) dropConfirmed(db, confirmed, by);
      if (areTooMany(listFleet(db, 'change'), room))
        throw new SluiceError(
          'conflict',
          `The fleet has ${KEY_CHANGES_MAX} changes of keys that not every edge has confirmed; expected fewer. Connect the edges that are cut off, or expel them.`,
        );
    });
  }

  /** Keys that are revoked on every edge, and whose revocation is not listed any more. */
  settledKeys(): string[] {
    return this.#vault.read(settledIn);
  }

  place(place: Partial<HubPlace>): Promise<void> {
    return this.#vault.mutate((db) =>
      putFleet(db, 'hub', JSON.stringify({ ...secretIn(db), ...place }), COMMAND_LINE_USER),
    );
  }
}

export const NATS_PORT = 8092;

/** Makes this machine the hub of a new fleet, or changes where its hub listens. Throws SluiceError `conflict` on an edge. */
export async function becomeHub(vault: Vault, place: Partial<HubPlace>): Promise<void> {
  if (vault.read(isHub)) {
    if (Object.keys(place).length > 0) await new HubState(vault).place(place);
    return;
  }
  const port = place.port ?? NATS_PORT;
  await makeHub(vault, { address: `${hostname()}:${port}`, host: '0.0.0.0', program: null, ...place, port });
}

async function makeHub(vault: Vault, place: HubPlace): Promise<void> {
  const made: HubSecret = {
    ...place,
    fleet: randomBytes(16).toString('base64url'),
    root: makePair('Ed25519'),
    sign: makePair('Ed25519'),
    term: 1,
    authority: await makeAuthority('Sluice fleet', Date.now()),
    nats: {
      operator: makePair('Ed25519'),
      system: makePair('Ed25519'),
      account: makePair('Ed25519'),
      edges: makePair('Ed25519'),
    },
    expelled: {},
    epochFloor: 0,
  };
  await vault.mutate((db) => {
    if (isEdge(db)) throw new SluiceError('conflict', 'This Sluice is an edge of a fleet; expected one that is not.');
    putFleet(db, 'hub', JSON.stringify(made), COMMAND_LINE_USER);
    putFleet(db, 'pepper', randomBytes(32).toString('base64url'), COMMAND_LINE_USER);
  });
}

/** In a change of the vault, the image that is changed: others may be part of the same write. */
function secretIn(db: Database): HubSecret {
  const text = readFleet(db, 'hub');
  if (text === null) throw new Error('this vault is not that of a hub');
  return hubSecret.parse(JSON.parse(text));
}

function tokenIn(db: Database, id: string): Token | null {
  const text = readFleet(db, `token:${id}`);
  return text === null ? null : token.parse(JSON.parse(text));
}

function memberIn(db: Database, edge: string): Member | null {
  const text = readFleet(db, `member:${edge}`);
  return text === null ? null : member.parse(JSON.parse(text));
}

function lastEpochIn(db: Database, edge: string): number {
  const found = memberIn(db, edge);
  if (found !== null) return found.epoch;
  const former = readFleet(db, `epoch:${edge}`);
  return former === null ? secretIn(db).epochFloor : formerEdge.parse(JSON.parse(former)).epoch;
}

/** Lists the epoch of an expelled edge. The oldest one makes room, and counts for every name from then on. */
function putFormer(db: Database, { edge, epoch }: Member, by: string, nowMs: number): void {
  const former = { edge, epoch, at: new Date(nowMs).toISOString() };
  putFleet(db, `epoch:${edge}`, JSON.stringify(former), by);
  const listed = listFleet(db, 'epoch').map((text) => formerEdge.parse(JSON.parse(text)));
  if (listed.length <= FORMER_EDGES_MAX) return;
  const oldest = listed.reduce((first, one) => (one.at < first.at ? one : first));
  dropFleet(db, `epoch:${oldest.edge}`);
  const { epochFloor, ...secret } = secretIn(db);
  putFleet(db, 'hub', JSON.stringify({ ...secret, epochFloor: Math.max(epochFloor, oldest.epoch) }), by);
}

function changeRef(serial: number): `change:${string}` {
  return `change:${String(serial).padStart(12, '0')}`;
}

function areTooMany(changes: readonly string[], room = 1): boolean {
  const chars = changes.reduce((sum, text) => sum + text.length, 0);
  return changes.length > room * KEY_CHANGES_MAX || chars > room * KEY_CHANGES_CHARS_MAX;
}

/** The newest change stays: it has the number that the next one follows. */
function dropConfirmed(db: Database, confirmed: number, by: string): void {
  const changes = listFleet(db, 'change').map((text) => keyChange.parse(JSON.parse(text)));
  const dropped = changes.slice(0, -1).filter(({ serial }) => serial <= confirmed);
  for (const { serial } of dropped) dropFleet(db, changeRef(serial));
  const known = new Set(all(db, 'SELECT id FROM keys').map((row) => text(row, 'id')));
  const revoked = dropped.flatMap(({ keyId, limits }) => (limits === null ? [keyId] : []));
  const settled = [...new Set([...settledIn(db), ...revoked])].filter((id) => known.has(id));
  putFleet(db, 'settled', JSON.stringify(settled), by);
}

function settledIn(db: Database): string[] {
  return z.array(z.string()).parse(JSON.parse(readFleet(db, 'settled') ?? '[]'));
}

/** nats-server refuses its user from its next start. */
function endIdentity(db: Database, { nkey }: Member, by: string, nowMs: number): void {
  const { expelled, ...secret } = secretIn(db);
  if (Object.keys(expelled).length >= EXPELLED_MAX)
    throw new SluiceError(
      'conflict',
      `The fleet has expelled ${EXPELLED_MAX} edges, the maximum; expected fewer. Set up a new hub.`,
    );
  putFleet(db, 'hub', JSON.stringify({ ...secret, expelled: { ...expelled, [nkey]: Math.ceil(nowMs / 1000) } }), by);
}

function expectPlace(db: Database, { edge, replaces }: Pick<Token, 'edge' | 'replaces'>): void {
  if (!replaces) expectFree(db, edge);
  else if (memberIn(db, edge) === null) throw unknownEdge(edge);
}

function putMember(db: Database, value: Member, by: string): void {
  putFleet(db, `member:${value.edge}`, JSON.stringify(value), by);
}

function expectFree(db: Database, edge: string): void {
  if (memberIn(db, edge) !== null)
    throw new SluiceError(
      'conflict',
      `There is already an edge ${edge}; expected another name. To replace its PC, add --replace; "sluice hub expel" frees the name.`,
    );
  if (listFleet(db, 'member').length >= MEMBERS_MAX)
    throw new SluiceError('conflict', `The fleet has ${MEMBERS_MAX} edges; expected fewer.`);
}

export function unknownEdge(edge: string): SluiceError {
  return new SluiceError('unknown', `There is no edge ${edge}; "sluice fleet status" lists the edges.`);
}
