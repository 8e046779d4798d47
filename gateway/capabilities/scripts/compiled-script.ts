import { NodeError, type Script } from '#sdk';

/**
 * One version of a library script: compiled on first use, closed when it has been replaced or removed and no run uses
 * it. So a change of a script never interrupts a run.
 */
export class CompiledScript {
  readonly code: string;
  readonly deadline: number;
  readonly #compile: () => Promise<Script>;
  #script: Promise<Script> | null = null;
  #users = 0;
  #retired = false;

  constructor({ code, deadline }: { code: string; deadline: number }, compile: () => Promise<Script>) {
    this.code = code;
    this.deadline = deadline;
    this.#compile = compile;
  }

  async use<T>(work: (script: Script) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await work(await this.#open());
    } finally {
      this.#users -= 1;
      this.#closeUnused();
    }
  }

  retire(): void {
    this.#retired = true;
    this.#closeUnused();
  }

  async #open(): Promise<Script> {
    const opening = (this.#script ??= this.#compile());
    try {
      return await opening;
    } catch (error) {
      // Errors in the code are permanent; after any other error (the sandbox was full) it is tried again.
      const final = error instanceof NodeError && error.code === 'script_invalid';
      if (!final && this.#script === opening) this.#script = null;
      throw error;
    }
  }

  #closeUnused(): void {
    if (!this.#retired || this.#users > 0) return;
    const script = this.#script;
    this.#script = null;
    script?.then(
      (compiled) => compiled.close(),
      () => undefined,
    );
  }
}
