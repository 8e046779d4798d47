import { useState } from 'react';
import { sameValue } from './same-value.ts';

export type Reading<T> = { ok: true; value: T } | { ok: false };

/**
 * The text of a field whose value is not a text: it is kept as typed as long as it has the same value (`0,50` for 0.5),
 * and while it is invalid. A value from elsewhere (undo) replaces it.
 */
export function useText<T>(
  value: T,
  show: (value: T) => string,
  read: (text: string) => Reading<T>,
  onChange: (value: T) => void,
) {
  const [typed, setTyped] = useState<{ text: string; of: T } | null>(null);
  const stands = typed !== null && sameValue(typed.of, value);
  const text = stands ? typed.text : show(value);
  return {
    text,
    /** The typed text is invalid. */
    isWrong: stands && !read(typed.text).ok,
    type(next: string) {
      const reading = read(next);
      setTyped({ text: next, of: reading.ok ? reading.value : value });
      if (reading.ok && !sameValue(reading.value, value)) onChange(reading.value);
    },
    leave() {
      if (typed !== null && read(typed.text).ok) setTyped(null);
    },
  };
}
