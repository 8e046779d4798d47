/** Reasons why a script does not run natively (docs/spec/sandbox.md#native-runs). */
export const SANDBOX_REASONS = [
  /** The setting `scriptExecution`. */
  'setting',
  'syntax',
  'size',
  'async',
  'regular_expression',
  'mutation',
  'loop',
  'function',
  'call',
  'name',
  'operator',
  'statement',
] as const;

export type SandboxReason = (typeof SANDBOX_REASONS)[number];

/** Where the script of a node runs. */
export interface ScriptEngine {
  node: string;
  engine: 'native' | 'sandbox';
  /** Null: native. */
  reason: SandboxReason | null;
  /** Of the code, from 1; null if the reason has no place. */
  line: number | null;
}
