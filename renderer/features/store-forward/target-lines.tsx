/** A target over what else is to know of it. */
export function TargetLines({ name, detail }: { name: string; detail: string }) {
  return (
    <span className="two break">
      <b className="mono">{name}</b>
      <small>{detail}</small>
    </span>
  );
}
