import type { Ajv2020, FuncKeywordDefinition } from 'ajv/dist/2020.js';
import type { WorkSlot } from './check-work.ts';

/** The cost of a comparison of large numbers: about 3 µs, compared with a few ns for others. */
const LARGE_STEPS = 150;
/**
 * Below this, a decimal with as many places as the step is either a whole number of steps or clearly different from
 * one.
 */
const EXACT_BELOW = 1e15;
const PLACES_MAX = 15;

/**
 * `multipleOf` for numbers as they are written: 0.07 is a multiple of 0.01, although the division of the two
 * floating-point numbers leaves a remainder.
 */
export function multipleOf(ajv: Ajv2020, slot: WorkSlot): FuncKeywordDefinition {
  const own = ajv.getKeyword('multipleOf');
  if (typeof own === 'boolean' || own.error === undefined) throw new Error('ajv has no error for multipleOf');
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: own.error,
    compile: (step: number) => multiplesOf(step, () => slot.work.budget.spend(LARGE_STEPS)),
  };
}

/** `step` is above 0. `beforeLarge` is called before each expensive comparison. */
export function multiplesOf(step: number, beforeLarge: () => unknown = () => undefined): (value: number) => boolean {
  const unit = decimal(step);
  const places = Math.max(0, -unit.exponent);
  const units = places === 0 ? step : Number(unit.digits);
  const scale = places <= PLACES_MAX && units < EXACT_BELOW ? Number(`1e${places}`) : Infinity;
  return (value) => {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
    if (!Number.isFinite(value)) return false;
    const scaled = value * scale;
    if (Math.abs(scaled) < EXACT_BELOW) {
      const whole = Math.round(scaled);
      return whole / scale === value && whole % units === 0;
    }
    beforeLarge();
    const number = decimal(value);
    const exponent = Math.min(number.exponent, unit.exponent);
    return scaledTo(number, exponent) % scaledTo(unit, exponent) === 0n;
  };
}

interface Decimal {
  readonly digits: bigint;
  /** The power of ten. */
  readonly exponent: number;
}

/** The shortest decimal that is parsed as this number, as written by users and JSON. */
function decimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** At most 10^632, between the largest and the smallest number. */
function scaledTo({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
