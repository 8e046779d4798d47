import type { ScriptRun, ScriptService } from '#sdk';

export interface CompileOptions {
  /** Of computing; what a run waits for capability calls is not counted. */
  readonly deadlineSeconds: number;
  /** For the log. */
  readonly name: string;
  /** The project whose share of the workers its calls use; without one, only the total is limited. */
  readonly project?: string;
}

export interface IsolatedOptions extends CompileOptions {
  /** Ids that must have a function. */
  readonly kinds: readonly string[];
}

/** QuickJS in worker threads (docs/spec/sandbox.md#isolation). `compile` is what nodes are lent. */
export interface Sandbox extends ScriptService {
  /**
   * Compiles the bundled module of a third-party plugin, whose default export maps ids to functions. It gets a worker
   * of its own, in which each project has an instance of its own, and is offered `http.request`. Throws NodeError
   * `script_invalid`.
   */
  compileIsolated(code: string, options: IsolatedOptions): Promise<IsolatedModule>;
  /** Ends every worker at once. */
  close(): Promise<void>;
}

export interface IsolatedRun extends ScriptRun {
  /** Id of the project that it runs for: what it has in its memory no run for another project is near. */
  readonly project: string;
  readonly deadlineSeconds: number;
}

/** A crash or hang of its worker fails its own calls alone; the worker is started again, with back-off. */
export interface IsolatedModule {
  /** Calls the function of that id; throws what `Script.call` throws. */
  call(kind: string, args: readonly unknown[], run: IsolatedRun): Promise<unknown>;
  /** Ends the calls of a project and gives its instance up. */
  leave(project: string): void;
  close(): Promise<void>;
}
