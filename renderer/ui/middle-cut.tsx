import './middle-cut.css';

const END_CHARS = 12;

/**
 * One line of text that is clipped in the middle if there is too little room: similar names often differ at the end.
 */
export function MiddleCut({ text }: { text: string }) {
  const end = Math.min(END_CHARS, Math.floor(text.length / 2));
  return (
    <span className="middle-cut" title={text}>
      <span>{text.slice(0, -end)}</span>
      <span>{text.slice(-end)}</span>
    </span>
  );
}
