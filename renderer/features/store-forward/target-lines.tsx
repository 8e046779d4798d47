/** A target above further information about it. */
export function TargetLines({ name, detail }: { name: string; detail: string }) {
  return (
    <span className="two break">
      <b className="mono">{name}</b>
      <small className="cut" title={detail}>
        {detail}
      </small>
    </span>
  );
}
