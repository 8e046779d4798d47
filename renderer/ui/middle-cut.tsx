import './middle-cut.css';

const END_CHARS = 12;

/** One line of text that loses its middle where there is no room: names of one kind often differ at their end. */
export function MiddleCut({ text }: { text: string }) {
  const end = Math.min(END_CHARS, Math.floor(text.length / 2));
  return (
    <span className="middle-cut" title={text}>
      <span>{text.slice(0, -end)}</span>
      <span>{text.slice(-end)}</span>
    </span>
  );
}
