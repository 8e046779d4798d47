import type { GatewayEvent } from '#common/control/messages.ts';
import type { CompiledPipeline } from '../pipeline/contract.ts';

/** Growing counts are reported together, this long after the first of them. */
const AGAIN_MS = 10_000;
/** The number of reported pipelines, enough for a user to read. */
const WARNED_MAX = 1_000;
const MESSAGE = 'It replied with status 200 and an "error" in the body; give errors a status of their own.';
const OVER = 'It was restarted or stopped, and has not done so since.';

/**
 * Reports to the host which running pipelines return errors with status 200 (docs/spec/nodes.md#http-response): the
 * first time immediately, then at most every AGAIN_MS while the counts grow, and the end when a start or a stop has
 * cleared them.
 */
export class ReplyWarnings {
  readonly #send: (event: GatewayEvent) => void;
  readonly #runs: (pipeline: CompiledPipeline) => boolean;
  readonly #warned = new Set<CompiledPipeline>();
  readonly #grown = new Set<CompiledPipeline>();
  #timer: NodeJS.Timeout | null = null;

  constructor(send: (event: GatewayEvent) => void, runs: (pipeline: CompiledPipeline) => boolean) {
    this.#send = send;
    this.#runs = runs;
  }

  /** Called with every such reply, which its pipeline has counted. */
  replied(pipeline: CompiledPipeline): void {
    if (this.#warned.has(pipeline)) return this.#later(pipeline);
    // The last replies of a replaced revision do not count for the running one.
    if (this.#warned.size >= WARNED_MAX || !this.#runs(pipeline)) return;
    this.#warned.add(pipeline);
    this.#tell(pipeline);
  }

  /** The pipeline was restarted or stopped. */
  forget(project: string, id: string): void {
    for (const pipeline of this.#warned) {
      if (pipeline.project !== project || pipeline.id !== id) continue;
      this.#warned.delete(pipeline);
      this.#grown.delete(pipeline);
      this.#send({ ...warning(pipeline), message: OVER, errorsWith200: [] });
    }
  }

  #later(pipeline: CompiledPipeline): void {
    this.#grown.add(pipeline);
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#tellGrown(), AGAIN_MS).unref();
  }

  #tellGrown(): void {
    this.#timer = null;
    const grown = [...this.#grown];
    this.#grown.clear();
    for (const pipeline of grown) this.#tell(pipeline);
  }

  #tell(pipeline: CompiledPipeline): void {
    this.#send({ ...warning(pipeline), message: MESSAGE, errorsWith200: pipeline.errorsWith200() });
  }
}

function warning({ project, id }: CompiledPipeline) {
  return { kind: 'pipeline-warning', project, pipeline: id, code: 'error_with_200' } as const;
}
