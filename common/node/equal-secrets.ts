import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time; their lengths may differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
