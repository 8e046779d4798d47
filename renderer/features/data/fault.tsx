import { FieldFault } from '#ui/field-error.tsx';

/** Under what is no field of Mantine's, such as code. */
export function Fault({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="mantine-InputWrapper-error">
      <FieldFault text={text} />
    </p>
  );
}
