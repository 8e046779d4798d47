import { MiddleCut } from './middle-cut.tsx';

interface Props {
  method: string | undefined;
  pattern: string | undefined;
  /** In one line, clipped in the middle if there is too little room. */
  oneLine?: boolean;
}

/** Method and pattern, as in all lists. */
export function RouteName({ method, pattern, oneLine = false }: Props) {
  return (
    <span className={oneLine ? 'route one-line' : 'route'}>
      <span className="method">{method}</span>
      <span className="path">{oneLine && pattern !== undefined ? <MiddleCut text={pattern} /> : pattern}</span>
    </span>
  );
}
