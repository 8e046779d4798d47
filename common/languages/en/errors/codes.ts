import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';

/** The title of each code, as in problem details. */
export const codes = Object.fromEntries(Object.entries(CATALOGUE).map(([code, { title }]) => [code, title])) as Record<
  ErrorCode,
  string
>;
