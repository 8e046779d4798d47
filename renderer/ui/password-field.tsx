import { PasswordInput } from '@mantine/core';
import { fieldProps, type FieldProps } from './form-fields.tsx';

/** A new secret, with a button to show it during typing. */
export function PasswordField(field: FieldProps) {
  return <PasswordInput {...fieldProps(field)} autoComplete="new-password" />;
}
