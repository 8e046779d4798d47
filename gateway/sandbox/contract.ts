import type { ScriptRuns } from '#common/control/messages.ts';
import type { ScriptRun, ScriptService } from '#sdk';

export interface CompileOptions {
  /** Computing time; the time that a run waits for capability calls is not counted. */
  readonly deadlineSeconds: number;
  /** For the log. */
  readonly name: string;
  /** The project whose share of the workers its calls use; without a project, only the total is limited. */
  readonly project?: string;
}

export interface IsolatedOptions extends CompileOptions {
  /** IDs that must have a function. */
  readonly kinds: readonly string[];
}

/** QuickJS in worker threads (docs/spec/sandbox.md#isolation). Nodes use `compile`. */
export interface Sandbox extends ScriptService {
  /**
   * Compiles the bundled module of a third-party plugin, whose default export maps IDs to functions. It gets its own
   * worker, with an instance for each project, and can use `http.request`. Throws NodeError `script_invalid`.
   */
  compileIsolated(code: string, options: IsolatedOptions): Promise<IsolatedModule>;
  /** Whether scripts that need only the native part of JavaScript run natively from now on. */
  useNative(native: boolean): void;
  /** Runs of scripts, not of plugins. */
  readonly runs: Readonly<ScriptRuns>;
  /** Ends every worker immediately. */
  close(): Promise<void>;
}

export interface IsolatedRun extends ScriptRun {
  /** ID of the project that it runs for: runs for other projects never share its memory. */
  readonly project: string;
  readonly deadlineSeconds: number;
}

/** A crash or hang of its worker fails only its own calls; the worker is restarted with back-off. */
export interface IsolatedModule {
  /** Calls the function with that ID; throws the same errors as `Script.call`. */
  call(kind: string, args: readonly unknown[], run: IsolatedRun): Promise<unknown>;
  /** Ends the calls of a project and discards its instance. */
  leave(project: string): void;
  close(): Promise<void>;
}
