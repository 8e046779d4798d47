import { SluiceError } from '#common/errors/catalogue.ts';
import { FLEET_KEYS_MAX, type RecordOf } from '#common/fleet/records.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import { RecordRefused, type Signer, signerOf, signRecord } from '#common/node/fleet/envelope.ts';
import { limitsText } from './assigned-keys.ts';
import type { HubSecret, KeyChange } from './hub-state.ts';

/** A change of a key that edges do not have yet. `limits` null: a revocation. */
export interface DueChange {
  id: string;
  limits: KeyLimits | null;
  at: string | null;
  by: string | null;
}

/** Signs what edges get, in the name of this fleet and of this term of the hub. */
export class HubSigner {
  readonly fleet: string;
  readonly term: number;
  readonly #signer: Signer;

  constructor({ sign, fleet, term }: HubSecret) {
    this.fleet = fleet;
    this.term = term;
    this.#signer = signerOf(sign);
  }

  /** Throws SluiceError `invalid` for a project that is too large. */
  assignment(assignment: RecordOf<'assignment'>): Buffer {
    if (assignment.keys.length > FLEET_KEYS_MAX)
      throw new SluiceError(
        'invalid',
        `The project has ${assignment.keys.length} keys; expected at most ${FLEET_KEYS_MAX}.`,
      );
    try {
      return signRecord('assignment', assignment, this.#signer);
    } catch (error) {
      throw error instanceof RecordRefused ? new SluiceError('invalid', `${error.message}.`, { cause: error }) : error;
    }
  }

  change({ id: keyId, limits, at, by }: DueChange, serial: number): KeyChange & { bytes: Buffer } {
    const fields = { fleet: this.fleet, term: this.term, serial, keyId };
    const payload = { ...fields, at: at ?? new Date().toISOString(), by: by ?? '' };
    const bytes =
      limits === null
        ? signRecord('revocation', payload, this.#signer)
        : signRecord('limits', { ...payload, limits }, this.#signer);
    const text = limits === null ? null : limitsText(limits);
    return { serial, keyId, limits: text, record: bytes.toString('base64url'), bytes };
  }

  answer(answer: Omit<RecordOf<'answer'>, 'fleet' | 'at'>): Buffer {
    return signRecord('answer', { fleet: this.fleet, ...answer, at: new Date().toISOString() }, this.#signer);
  }
}
