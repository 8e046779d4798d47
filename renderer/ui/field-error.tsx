import { Shape } from './shape.tsx';

/** Below a field: icon, error and expected input. */
export function FieldFault({ text }: { text: string }) {
  return (
    <>
      <Shape name="error" small />
      <span>{text}</span>
    </>
  );
}
