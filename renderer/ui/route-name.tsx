import { MiddleCut } from './middle-cut.tsx';

interface Props {
  method: string | undefined;
  pattern: string | undefined;
  /** In one line, cut in its middle where there is no room. */
  oneLine?: boolean;
}

/** Method and pattern, as every list shows them. */
export function RouteName({ method, pattern, oneLine = false }: Props) {
  return (
    <span className={oneLine ? 'route one-line' : 'route'}>
      <span className="method">{method}</span>
      <span className="path">{oneLine && pattern !== undefined ? <MiddleCut text={pattern} /> : pattern}</span>
    </span>
  );
}
