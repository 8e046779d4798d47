import { z } from 'zod';
import { expected } from '../errors/rules.ts';

const TEMPLATE_CHARS_MAX = 16_384;

/** The text between `{{` and `}}`, trimmed. */
export interface Place {
  readonly place: string;
}

/** A text setting with `{{path}}` placeholders, as written. */
export const templateText = z
  .string({ error: expected('text_filled', { place: '{{payload.…}}' }) })
  .max(TEMPLATE_CHARS_MAX, expected('length_max', { max: TEMPLATE_CHARS_MAX }));

const OPEN = '{{';
const CLOSE = '}}';

/**
 * Literal parts and placeholders in alternation. The only parser of templates, used both to fill them in and to check
 * them. Linear in the text. Braces without a path (`{{}}`, an opening without its end) remain text.
 */
export function templateParts(text: string): (string | Place)[] {
  const parts: (string | Place)[] = [];
  let end = 0;
  let close = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, close)) {
    close = text.indexOf(CLOSE, open + OPEN.length);
    if (close < 0) break;
    const innermost = text.lastIndexOf(OPEN, close - OPEN.length);
    const place = text.slice(innermost + OPEN.length, close).trim();
    if (place === '' || place.includes('{') || place.includes('}')) continue;
    if (innermost > end) parts.push(text.slice(end, innermost));
    parts.push({ place });
    end = close + CLOSE.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
