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
  if (typeof value === 'number') return value.toLocaleString(language, { maximumFractionDigits: 6 });
  return typeof value === 'string' ? value : value.join(', ');
}
