/**
 * The schema of a kind's settings (JSON Schema 2020-12), from which the fields of a form are built. Kinds may add the
 * keywords `control`, `more`, `choice`, `unit` and `preset` beside a field's title (docs/plugins/guide.md); without
 * them, the form is built from the types alone. Settings without a suitable control are edited as JSON, so every
 * setting can be changed.
 */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  title?: string;
  description?: string;
  default?: unknown;
  control?: string;
  more?: boolean;
  choice?: string;
  /** The effective value if the setting is not given, where `default` cannot express it. */
  preset?: unknown;
  unit?: string;
  /** Labels of the values of a choice. */
  choices?: Record<string, string>;
}

export interface Field {
  name: string;
  title: string;
  help: string;
  required: boolean;
  /** Null is an allowed value: none. */
  nullable: boolean;
  /** Undefined: there is no default. */
  preset: unknown;
  more: boolean;
  /** Fields with the same word are alternatives: at most one of them is given. */
  choice: string | null;
  control: Control;
}

export type Control =
  | { kind: 'text'; picker: Picker | null; lines: number }
  | { kind: 'code'; language: 'javascript' | 'sql' | 'json' }
  | { kind: 'number'; whole: boolean; unit: string }
  | { kind: 'size' }
  /** An amount of bytes with its unit. */
  | { kind: 'bytes' }
  /** A list of texts in one field, one per line. */
  | { kind: 'lines' }
  | { kind: 'select'; options: readonly (string | number)[]; labels?: Readonly<Record<string, string>> }
  | { kind: 'switch' }
  /** Given with this one value, or not given. */
  | { kind: 'tick'; value: unknown }
  | { kind: 'scopes' }
  /** A list of texts, which can be written as one text with commas. */
  | { kind: 'texts'; picker: Picker | null }
  | { kind: 'rows'; fields: Field[]; most: number }
  | { kind: 'pairs'; value: Control; names: 'free' | 'query' | 'sql' }
  | { kind: 'secret'; lines: number }
  | { kind: 'group'; fields: Field[] }
  /** For a group: it can be omitted as a whole. */
  | { kind: 'optional'; fields: Field[] }
  /** Any JSON value, in one line. */
  | { kind: 'any' };

export type Picker = 'tag' | 'query' | 'connection' | 'script' | 'path' | 'template' | 'target';

/** One way to fill in the settings of a kind; a kind without modes has one, whose `value` is null. */
export interface Variant {
  value: string | null;
  title: string;
  help: string;
  fields: Field[];
  /** The schema of only these settings, for validation. */
  schema: JsonSchema;
}
export interface Form {
  /** The setting that selects one of the variants. */
  mode: string | null;
  variants: Variant[];
}
