import { maskKeys } from '#common/api-key.ts';
import type { LibraryScript } from '#common/model/library-script.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { type LogLevel, NodeError, type RunOrigin, type Script, type ScriptService } from '#sdk';
import { CapabilityAccess } from '../access.ts';
import type { CallContext, Capability } from '../contract.ts';
import type { CapabilityBroker } from '../capability-broker.ts';
import type { Principal } from '../principal.ts';
import { CompiledScript } from './compiled-script.ts';

/** Nesting limit of library scripts. */
export const DEPTH_MAX = 8;
/** Lines that the test run of a draft keeps, and characters of each; further ones are dropped. */
export const TEST_LINES_MAX = 1_000;
export const TEST_LINE_CHARS_MAX = 8_192;
/** Time limit of the test run of a draft, including waits. */
export const TEST_MS_MAX = 60_000;
/** Time limit in seconds for the top level of a script when it is saved. */
const CHECK_SECONDS_MAX = 10;

export interface ScriptsOptions {
  readonly scripts: ScriptService;
  /** Evaluated only when a script runs, because the broker is created from all capabilities, including this one. */
  door(): CapabilityBroker;
}

export type ScriptDraft = Pick<LibraryScript, 'id' | 'code' | 'deadline'>;

export interface TestedScript {
  readonly result: unknown;
  readonly lines: readonly { readonly level: LogLevel; readonly message: string }[];
}

/** Library scripts (docs/spec/sandbox.md#library-scripts): run with the caller's rights at the time of each call. */
export interface Scripts extends Capability<'scripts.run'> {
  configure(project: string, resources: ProjectResources | null): void;
  /** Runs a script draft without storing anything. Throws the errors of the script. */
  testScript(
    project: string,
    draft: ScriptDraft,
    args: unknown,
    principal: Principal,
    who?: RunOrigin,
  ): Promise<TestedScript>;
  /** The reason why the script can never run; null if there is none, or if it cannot be determined now. */
  faultOf(draft: ScriptDraft): Promise<string | null>;
}

export function createScripts(options: ScriptsOptions): Scripts {
  return new ScriptLibrary(options);
}

class ScriptLibrary implements Scripts {
  readonly calls: Scripts['calls'];
  readonly #options: ScriptsOptions;
  readonly #projects = new Map<string, Map<string, CompiledScript>>();

  constructor(options: ScriptsOptions) {
    this.#options = options;
    this.calls = {
      'scripts.run': ({ name, args }, context, signal) => this.#run(name, args, context, signal),
    };
  }

  configure(project: string, resources: ProjectResources | null): void {
    const before = this.#projects.get(project) ?? new Map<string, CompiledScript>();
    const after = new Map(
      (resources?.scripts ?? []).map((script) => [script.id, this.#keepOrMake(project, before, script)]),
    );
    if (after.size === 0) this.#projects.delete(project);
    else this.#projects.set(project, after);
    for (const [id, script] of before) if (after.get(id) !== script) script.retire();
  }

  async testScript(
    project: string,
    draft: ScriptDraft,
    args: unknown,
    principal: Principal,
    who: RunOrigin = {},
  ): Promise<TestedScript> {
    const lines: { level: LogLevel; message: string }[] = [];
    const over = new AbortController();
    let endMs = performance.now() + TEST_MS_MAX;
    const timer = setTimeout(() => over.abort(), TEST_MS_MAX);
    const context: CallContext = {
      project,
      pipeline: '',
      node: '',
      principal,
      signal: over.signal,
      remainingMs: () => Math.max(0, endMs - performance.now()),
      depth: 0,
      hops: 0,
      log: (level, message) => {
        if (lines.length < TEST_LINES_MAX) lines.push({ level, message: message.slice(0, TEST_LINE_CHARS_MAX) });
      },
      origin: () => ({ ...who, trigger: 'test' }),
      rehearsal: () => null,
      mask: maskKeys,
    };
    try {
      const script = await this.#compile(project, draft);
      try {
        return { result: await this.#call(script, args, context, over.signal), lines };
      } finally {
        script.close();
      }
    } finally {
      clearTimeout(timer);
      // Unfinished work of the draft cannot make further calls.
      endMs = 0;
    }
  }

  async faultOf({ id, code, deadline }: ScriptDraft): Promise<string | null> {
    try {
      const script = await this.#options.scripts.compile(code, {
        deadlineSeconds: Math.min(deadline, CHECK_SECONDS_MAX),
        name: id,
      });
      script.close();
      return null;
    } catch (error) {
      // The top level may be slow only because the machine is busy.
      const isFinal = error instanceof NodeError && error.code === 'script_invalid' && error.cause === undefined;
      return isFinal ? error.message : null;
    }
  }

  close(): Promise<void> {
    for (const project of this.#projects.keys()) this.configure(project, null);
    return Promise.resolve();
  }

  /** An unchanged script stays compiled. */
  #keepOrMake(project: string, before: ReadonlyMap<string, CompiledScript>, script: LibraryScript): CompiledScript {
    const known = before.get(script.id);
    const same = known !== undefined && known.code === script.code && known.deadline === script.deadline;
    return same ? known : new CompiledScript(script, () => this.#compile(project, script));
  }

  #compile(project: string, { id, code, deadline }: ScriptDraft): Promise<Script> {
    return this.#options.scripts.compile(code, { deadlineSeconds: deadline, name: id, project });
  }

  async #run(name: string, args: unknown, context: CallContext, signal: AbortSignal): Promise<unknown> {
    if (context.depth >= DEPTH_MAX)
      throw new NodeError('script_depth', `more than ${DEPTH_MAX} library scripts ran inside each other, at "${name}"`);
    const script = this.#projects.get(context.project)?.get(name);
    if (script === undefined) throw new NodeError('script_unknown', `the project has no library script "${name}"`);
    return script.use((compiled) =>
      this.#call(compiled, args, { ...context, depth: context.depth + 1, signal }, signal),
    );
  }

  #call(script: Script, args: unknown, context: CallContext, signal: AbortSignal): Promise<unknown> {
    return script.call(args ?? null, { signal, capabilities: new CapabilityAccess(this.#options.door(), context) });
  }
}
