export type Values = Readonly<Record<string, string>>;

/** The names of the placeholders in a text. */
export type Place<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Place<Rest>
  : never;

/** Fills in `{{name}}` as i18next does in the admin UI; a missing value is left out. */
export function interpolate(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));
}

/** The same with numbers and lists, in the format of `language`. */
export function sentenceOf(
  text: string,
  values: Readonly<Record<string, string | number | readonly string[]>>,
  language: string,
): string {
  const written = Object.entries(values).map(([name, value]) => [name, writtenIn(value, language)] as const);
  return interpolate(text, Object.fromEntries(written));
}

function writtenIn(value: string | number | readonly string[], language: string): string {
  if (typeof value === 'number') return numberIn(value, language);
  return typeof value === 'string' ? value : value.join(', ');
}

const PLAIN_NUMBER = /^(-?\d{1,16})(\.\d{1,6})?$/;
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * A number in the format of `language`, with up to six decimal places. Plain numbers in English do not use `Intl`: its
 * first use takes 25 ms, and each process that loads the texts of errors would need it at its start.
 */
export function numberIn(value: number, language: string): string {
  const [, integer, fraction = ''] = (language === 'en' && PLAIN_NUMBER.exec(String(value))) || [];
  if (integer !== undefined && !Object.is(value, -0)) return integer.replace(THOUSANDS, ',') + fraction;
  return value.toLocaleString(language, { maximumFractionDigits: 6 });
}
