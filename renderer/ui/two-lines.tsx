/** A name above its ID. */
export function TwoLines({ name, id }: { name: string; id: string }) {
  return (
    <span className="two">
      <b>{name}</b>
      <small className="mono">{id}</small>
    </span>
  );
}
