export function Tags({ names, none }: { names: readonly string[]; none: string }) {
  if (names.length === 0) return <span className="t3">{none}</span>;
  return (
    <span className="tags">
      {names.map((name) => (
        <span key={name} className="tag">
          {name}
        </span>
      ))}
    </span>
  );
}
