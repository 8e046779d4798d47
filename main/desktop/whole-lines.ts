/** Output without a line feed for this long is passed on unchanged. */
const LINE_CHARS_MAX = 65_536;

/** Splits a stream into whole lines; `end` passes on the rest. */
export function wholeLines(write: (line: string) => void): { take(piece: string): void; end(): void } {
  let rest = '';
  return {
    take(piece) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) write(`${line}\n`);
      if (rest.length <= LINE_CHARS_MAX) return;
      write(`${rest}\n`);
      rest = '';
    },
    end() {
      if (rest !== '') write(`${rest}\n`);
      rest = '';
    },
  };
}
