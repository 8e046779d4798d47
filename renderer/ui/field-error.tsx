import { Shape } from './shape.tsx';

/** Under a field: ring, what is wrong and what to type. */
export function FieldFault({ text }: { text: string }) {
  return (
    <>
      <Shape name="error" small />
      <span>{text}</span>
    </>
  );
}
