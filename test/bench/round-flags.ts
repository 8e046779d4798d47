import { parseArgs } from 'node:util';

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

export const ROUND_FLAGS = '--quick, --rounds N or --seconds N';

/** Reads `--quick`, `--rounds N` and `--seconds N`. Throws with a text that names the flag. */
export function readRounds(otherwise: Rounds, quick: Rounds): Rounds {
  const options = { quick: { type: 'boolean' }, rounds: { type: 'string' }, seconds: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const unless = values.quick === true ? quick : otherwise;
  return {
    rounds: whole('--rounds', values.rounds, unless.rounds),
    seconds: whole('--seconds', values.seconds, unless.seconds),
  };
}

function whole(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${flag} is "${text}"; expected a whole number from 1 to 999`);
  return Number(text);
}
