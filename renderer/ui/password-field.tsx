import { PasswordInput } from '@mantine/core';
import { fieldProps, type FieldProps } from './form-fields.tsx';

/** A new secret, which an eye shows while it is typed. */
export function PasswordField(field: FieldProps) {
  return <PasswordInput {...fieldProps(field)} autoComplete="new-password" />;
}
