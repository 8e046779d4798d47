import { z } from 'zod';
import { expected } from '../errors/rules.ts';

/** A text with an upper limit of its characters. */
export function textUpTo(max: number) {
  return z.string({ error: expected('text') }).max(max, expected('length_max', { max }));
}

/** A number within both bounds; `what` is its name in the error, such as "seconds". */
export function numberFrom(what: string, from: number, to: number) {
  const error = expected('range', { what, from, to });
  return z.number({ error }).min(from, error).max(to, error);
}

/** The same for whole numbers. */
export function wholeFrom(what: string, from: number, to: number) {
  const error = expected('range', { what, from, to });
  return z.number({ error }).int(error).min(from, error).max(to, error);
}
