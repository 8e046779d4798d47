/** Method and pattern, as every list shows them. */
export function RouteName({ method, pattern }: { method: string | undefined; pattern: string | undefined }) {
  return (
    <span className="route">
      <span className="method">{method}</span>
      <span className="path">{pattern}</span>
    </span>
  );
}
