import { z } from 'zod';
import { keyLimits } from '../model/key-limits.ts';
import { displayName, projectId } from '../model/ids.ts';
import { projectFile } from '../model/project-file.ts';
import { scopeList } from '../model/fields.ts';

/**
 * Records that a hub and its edges exchange (docs/decisions/0025-a-fleet-on-nats.md). Each is JSON in a signed envelope
 * (`common/node/fleet/envelope.ts`). Of `term`, `epoch` and `serial`, an edge accepts only values that rise.
 *
 * Bytes are base64url without padding: 32 bytes have 43 characters.
 */
export const RECORD_BYTES_MAX = 1_000_000;
/** Also the longest name of an edge in a subject of NATS. */
export const edgeName = projectId;
export const FLEET_KEYS_MAX = 1_000;
const SIGNING_KEYS_MAX = 8;
const RUNNING_MAX = 1_000;

const bytes32 = z.string().regex(/^[\w-]{43}$/);
const kid = z.string().regex(/^[0-9a-f]{16}$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const keyId = z.string().regex(/^[0-9A-Za-z]{12}$/);
const counter = z.int().min(0);
const time = z.iso.datetime();
const nonce = z.string().regex(/^[\w-]{22}$/);
const person = z.string().max(256);

const fleet = z.string().regex(/^[\w-]{22}$/);
export const counters = z.strictObject({ term: counter, epoch: counter, serial: counter });
export type Counters = z.infer<typeof counters>;

export const PHASES = ['returning', 'applying', 'settled', 'refused'] as const;
export type Phase = (typeof PHASES)[number];
export const REASON_CHARS_MAX = 1_000;

/** A key as an edge stores it: its hash under the pepper of the fleet. */
const fleetKey = z.strictObject({ id: keyId, name: displayName, scopes: scopeList, limits: keyLimits, hash });
export type FleetKey = z.infer<typeof fleetKey>;

const keyChange = { fleet, term: counter, serial: counter.min(1), keyId, at: time, by: person };

export const RECORDS = {
  /** Signed by the root key: the keys that sign everything else of the hub. */
  trust: z.strictObject({
    fleet,
    term: counter,
    keys: z
      .array(z.strictObject({ kid, public: bytes32 }))
      .min(1)
      .max(SIGNING_KEYS_MAX),
  }),
  /** The whole desired state of an edge: one project, its keys, and the pipelines that run. */
  assignment: z.strictObject({
    fleet,
    edge: edgeName,
    term: counter,
    epoch: counter.min(1),
    at: time,
    by: person,
    project: projectFile,
    keys: z.array(fleetKey).max(FLEET_KEYS_MAX),
    running: z.array(projectId).max(RUNNING_MAX),
    /** The last change of a key that the keys take into account. */
    revFloor: counter,
  }),
  revocation: z.strictObject(keyChange),
  /** New limits of a key, numbered together with revocations. A paused key allows no address. */
  limits: z.strictObject({ ...keyChange, limits: keyLimits }),
  /** Of an edge: what it has, with a nonce that the answer repeats. */
  checkin: z.strictObject({
    fleet,
    edge: edgeName,
    nonce,
    have: counters,
    phase: z.enum(PHASES),
    reason: z.string().max(REASON_CHARS_MAX).nullable(),
    version: z.string().max(64),
  }),
  answer: z.strictObject({ fleet, edge: edgeName, nonce, latest: counters, at: time }),
  /** Of an edge: gateway and vault have every change of a key up to this one. */
  ack: z.strictObject({ fleet, edge: edgeName, serial: counter }),
  /** The hub's answer to an enrolment. */
  welcome: z.strictObject({
    fleet,
    edge: edgeName,
    nonce,
    /** The trust record, base64url. */
    trust: z.string().max(8_192),
    /** User of NATS. */
    jwt: z.string().max(4_096),
    /** The pepper of the fleet's keys, sealed to the edge. */
    pepper: z.string().max(512),
    latest: counters,
  }),
} as const;

export type RecordKind = keyof typeof RECORDS;
export type RecordOf<K extends RecordKind> = z.infer<(typeof RECORDS)[K]>;

/** The byte that names the kind in an envelope; released numbers are never changed. */
export const RECORD_TYPES = {
  trust: 1,
  assignment: 2,
  revocation: 3,
  checkin: 4,
  answer: 5,
  ack: 6,
  welcome: 7,
  limits: 8,
} as const satisfies Record<RecordKind, number>;

/** Sent by a machine that is no edge yet, so it is not signed: `mac` is HMAC-SHA-256 under the token's secret. */
export const enrolRequest = z.strictObject({
  token: z.string().regex(/^[\w-]{16}$/),
  nonce,
  identity: bytes32,
  seal: bytes32,
  nkey: z.string().regex(/^U[A-Z2-7]{55}$/),
  mac: bytes32,
});
export type EnrolRequest = z.infer<typeof enrolRequest>;

/** The fields that `mac` covers, in a fixed order. */
export function enrolText({ token, nonce, identity, seal, nkey }: Omit<EnrolRequest, 'mac'>): string {
  return ['sluice-enrol/1', token, nonce, identity, seal, nkey].join('\n');
}

/** Whether an edge that has `a` must not take `b`: terms count first. */
export function isOlder(a: Pick<Counters, 'term' | 'epoch'>, b: Pick<Counters, 'term' | 'epoch'>): boolean {
  return b.term < a.term || (b.term === a.term && b.epoch <= a.epoch);
}
