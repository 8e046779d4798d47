/**
 * The text that a user types into a terminal in raw mode, without the sequences of other keys: arrows, Delete, function
 * keys, Alt with a letter, the marks around a paste (ECMA-48, 5.4; xterm's control sequences). Without an echo, their
 * letters would silently become part of a secret. Control bytes such as Enter and Backspace end a sequence and are
 * kept.
 *
 * Known weakness: after the Escape key, a typed `[` or `O` is read as the beginning of a sequence.
 */
type State = 'text' | 'escape' | 'parameters-first' | 'parameters' | 'last';

const ESCAPE = '\u001b';

/** One per prompt: a sequence may arrive in several chunks. */
export function createTypedText(): (chunk: string) => string {
  let state: State = 'text';
  return (chunk) => {
    let text = '';
    // A key sends its bytes at once; later ones were typed after the Escape key.
    if (state === 'escape' && !/^[[O]/.test(chunk)) state = 'text';
    for (const char of chunk) {
      const isText = state === 'text' || char < ' ' || char === '\u007f';
      if (isText && char !== ESCAPE) text += char;
      state = isText ? afterText(char) : inSequence(state, char);
    }
    return text;
  };
}

function afterText(char: string): State {
  return char === ESCAPE ? 'escape' : 'text';
}

function inSequence(state: State, char: string): State {
  if (state === 'escape') {
    if (char === '[') return 'parameters-first';
    return char === 'O' ? 'last' : 'text';
  }
  // The Linux console's function keys have a second bracket and a letter.
  if (state === 'parameters-first' && char === '[') return 'last';
  if (state === 'last') return 'text';
  return char >= '@' && char <= '~' ? 'text' : 'parameters';
}
