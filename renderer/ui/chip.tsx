import { Shape, type ShapeName } from './shape.tsx';

/** A state: shape and text. Normal has no box, abnormal a tinted one. */
export function Chip({ shape, children, quiet }: { shape: ShapeName; children: string; quiet?: boolean }) {
  const abnormal = shape === 'alarm' || shape === 'warning' || shape === 'advisory';
  return (
    <span className={`chip ${abnormal ? shape : ''} ${quiet ? 'quiet' : ''}`}>
      <Shape name={shape} small />
      {children}
    </span>
  );
}
