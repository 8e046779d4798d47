/** How far a long work is: a line and a text. `text`: what is done, of what, and what is left. */
export function ProgressLine({ label, done, of, text }: { label: string; done: number; of: number; text: string }) {
  return (
    <span className="progress-line">
      <progress aria-label={label} aria-valuetext={text} value={done} max={Math.max(1, of)} />
      <small>{text}</small>
    </span>
  );
}
