import { FieldFault } from '#ui/field-error.tsx';

/** Under what is no field of Mantine's, such as code; what it is of comes first among the fields beside it. */
export function Fault({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="mantine-InputWrapper-error" data-fault>
      <FieldFault text={text} />
    </p>
  );
}
