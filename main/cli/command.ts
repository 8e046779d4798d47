import type { Arguments, Flag } from './arguments.ts';
import type { Environment } from './options.ts';

/** One command of `sluice`, declared once: its help and its checks are derived from it. */
export interface Command {
  /** `serve`, `audit verify` … */
  name: string;
  summary: string;
  flags: Readonly<Record<string, Flag>>;
  /** Positional arguments, all required. */
  positionals: readonly string[];
  /** Resolves to the exit code. Throws PlainError or SluiceError to end with one sentence. */
  run(args: Arguments, context: Context): Promise<number>;
}

export interface Context {
  environment: Environment;
  print(line: string): void;
}
