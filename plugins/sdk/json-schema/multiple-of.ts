import type { Ajv2020, FuncKeywordDefinition } from 'ajv/dist/2020.js';

/**
 * `multipleOf` of the numbers as they are written: 0.07 is a multiple of 0.01, although a division of the two
 * floating-point numbers leaves a rest.
 */
export function multipleOf(ajv: Ajv2020): FuncKeywordDefinition {
  const own = ajv.getKeyword('multipleOf');
  if (typeof own === 'boolean' || own.error === undefined) throw new Error('ajv has no error for multipleOf');
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: own.error,
    validate: (step: number, value: number) => isMultiple(value, step),
  };
}

/** `step` above 0. */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  if (!Number.isFinite(value)) return false;
  const [whole, unit] = [decimal(value), decimal(step)];
  const exponent = Math.min(whole.exponent, unit.exponent);
  return scaled(whole, exponent) % scaled(unit, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  /** Power of ten. */
  readonly exponent: number;
}

/** The shortest decimal that reads as this number, which is how people and JSON write it. */
function decimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** At most 10^632, between the largest and the smallest number. */
function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
