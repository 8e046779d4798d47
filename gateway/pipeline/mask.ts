import { maskKeys } from '#common/api-key.ts';
import type { Message } from '#common/model/message.ts';

/** Headers whose values are never shown: they are credentials. */
const SENSITIVE = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
export const MASKED = '(masked)';

/** Shorter values are too common to be searched for in other texts. */
const SECRET_CHARS_MIN = 6;

export function isSensitiveName(name: string): boolean {
  return SENSITIVE.has(name.toLowerCase());
}

/** Values of sensitive headers in a message from a request, unchanged and as they appear inside JSON. */
export function secretsOf(message: Message): string[] {
  const headers = headersOf(message.payload);
  if (headers === null) return [];
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || value.length < SECRET_CHARS_MIN || !isSensitiveName(name)) continue;
    secrets.push(value);
    const inJson = JSON.stringify(value).slice(1, -1);
    if (inJson !== value) secrets.push(inJson);
  }
  return secrets;
}

/** Masks API keys and the given values anywhere in a text. */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = maskKeys(text);
  for (const secret of secrets) masked = masked.replaceAll(secret, MASKED);
  return masked;
}

function headersOf(payload: unknown): object | null {
  if (typeof payload !== 'object' || payload === null || !('headers' in payload)) return null;
  const { headers } = payload;
  return typeof headers === 'object' ? headers : null;
}
