import { FieldFault } from '#ui/field-error.tsx';

/**
 * The error of an input that is not a Mantine field, such as code; the name of the input comes first, as for fields.
 */
export function Fault({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="mantine-InputWrapper-error" data-fault>
      <FieldFault text={text} />
    </p>
  );
}
