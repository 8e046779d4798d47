import type { Control, Field } from '#ui/form/schema-types.ts';
import { readForm, variantOf } from '#ui/form/schema.ts';
import type { DraftNode } from '../model/draft.ts';
import type { Kinds } from '../model/ports.ts';

/**
 * The field of a fault for display: `cases.0.port` as "Cases 1, Port", `staticHeaders.Authorization` as "Static
 * headers, Authorization". Parts without a field are unchanged.
 */
export function fieldTitle(node: DraftNode, kinds: Kinds, path: string, text: (english: string) => string): string {
  const form = readForm(kinds.get(node.kind)?.settings);
  const { fields } = variantOf(form, node.settings);
  return titlesOf(fields, path.split('.'), text).join(', ');
}

function titlesOf(fields: readonly Field[], path: readonly string[], text: (english: string) => string): string[] {
  const [name, ...inner] = path;
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return [path.join('.')];
  return withInner(text(field.title), field.control, inner, text);
}

function withInner(
  title: string,
  control: Control,
  inner: readonly string[],
  text: (english: string) => string,
): string[] {
  const [first, ...rest] = inner;
  if (first === undefined) return [title];
  if (control.kind === 'group' || control.kind === 'optional') return [title, ...titlesOf(control.fields, inner, text)];
  // Displayed numbers start with 1.
  const place = /^\d+$/.test(first) ? `${title} ${Number(first) + 1}` : null;
  if (control.kind === 'rows' && place !== null)
    return rest.length === 0 ? [place] : [place, ...titlesOf(control.fields, rest, text)];
  if (place !== null && rest.length === 0) return [place];
  return [title, inner.join('.')];
}
