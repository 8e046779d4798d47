import { z } from 'zod';
import { expected } from '../errors/rules.ts';

/** A text of at most so many characters. */
export function textUpTo(max: number) {
  return z.string({ error: expected('text') }).max(max, expected('length_max', { max }));
}

/** A number within both bounds; `what` names it in the error, such as "seconds". */
export function numberFrom(what: string, from: number, to: number) {
  const error = expected('range', { what, from, to });
  return z.number({ error }).min(from, error).max(to, error);
}

/** The same, without decimals. */
export function wholeFrom(what: string, from: number, to: number) {
  const error = expected('range', { what, from, to });
  return z.number({ error }).int(error).min(from, error).max(to, error);
}
