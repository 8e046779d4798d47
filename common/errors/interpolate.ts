export type Values = Readonly<Record<string, string>>;

/** Fills in `{{name}}` as i18next does in the admin UI; a value that is not there is left out. */
export function interpolate(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));
}
