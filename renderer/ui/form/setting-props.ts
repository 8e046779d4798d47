import type { Control, Field } from './schema-types.ts';
import type { Values } from './values.ts';

/** One setting: its value, undefined if it is not given. */
export interface SettingProps<C extends Control = Control> {
  field: Field;
  control: C;
  /** Dotted path relative to the settings. */
  path: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

export type SettingOf<K extends Control['kind']> = SettingProps<Extract<Control, { kind: K }>>;

export interface FieldsProps {
  fields: readonly Field[];
  values: Values;
  /** Path of the object with the fields; '': the settings themselves. */
  path: string;
  onChange: (values: Record<string, unknown>) => void;
}
