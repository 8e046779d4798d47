interface Props {
  names: readonly string[];
  /** Instead of an empty list. */
  none: string;
  /** Names that people chose, such as roles; others are codes. */
  plain?: boolean;
}

export function Tags({ names, none, plain = false }: Props) {
  if (names.length === 0) return <span className="t3">{none}</span>;
  return (
    <span className={plain ? 'tags plain' : 'tags'}>
      {names.map((name) => (
        <span key={name} className="tag">
          {name}
        </span>
      ))}
    </span>
  );
}
