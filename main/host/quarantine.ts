import { readFileSync, rmSync, statSync } from 'node:fs';
import { type BlockedNode, blockedNode, blockedNodeFile } from '#common/node/blocked-node.ts';
import type { Logger } from '#common/node/log.ts';
import type { NamedActRow } from '../admin-api/acts.ts';
import type { Audit, ProjectStore } from '../contracts.ts';

/** A pipeline that blocks this many gateways within QUARANTINE_WINDOW_MS is stopped. */
export const BLOCKS_MAX = 2;
export const QUARANTINE_WINDOW_MS = 10 * 60_000;
const FILE_BYTES_MAX = 4_096;
/** The number of pipelines in the list; the one that blocked longest ago is dropped first. */
const REMEMBERED_MAX = 100;

export interface BlockedPipeline extends BlockedNode {
  /** How often it ended the gateway within the window. */
  readonly times: number;
  /** Stopped because of that, until a user starts it again. */
  readonly stopped: boolean;
}

interface Parts {
  readonly dataDir: string;
  readonly projects: Pick<ProjectStore, 'pipeline' | 'holdStopped' | 'saveStopped'>;
  readonly audit: Pick<Audit, 'record'>;
  /** Saves a held stop, with its journal rows, as soon as possible. */
  saveLater(stop: BlockedNode, row: NamedActRow): void;
  readonly log: Logger;
  /** Milliseconds. */
  now(): number;
}

/**
 * Pipelines that block the gateway's event loop. A gateway that is killed because it is silent leaves the name of the
 * node (gateway/pipeline/run-watch). A pipeline that blocks BLOCKS_MAX gateways within QUARANTINE_WINDOW_MS is stopped,
 * so that the next gateway serves the others, and stays stopped until a user starts it.
 *
 * Known weakness: the counts are lost when the host ends; the stop of the pipeline and the journal row are kept.
 */
export class Quarantine {
  readonly #parts: Parts;
  readonly #blocks = new Map<string, { place: BlockedNode; times: number[]; stopped: boolean }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Called when a gateway has ended, before the next one gets its snapshot. */
  gatewayEnded(): void {
    const place = takeBlockedNode(this.#parts.dataDir);
    if (place === null) return;
    const id = `${place.project}/${place.pipeline}`;
    const times = [...this.#recent(this.#blocks.get(id)?.times ?? []), this.#parts.now()];
    this.#blocks.delete(id);
    const stopped = times.length >= BLOCKS_MAX && !place.test && this.#stop(place, times.length);
    this.#blocks.set(id, { place, times, stopped });
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > REMEMBERED_MAX && oldest !== undefined) this.#blocks.delete(oldest);
    this.#parts.log.warn('a node blocked the gateway', { ...place, times: times.length, stopped });
  }

  list(): BlockedPipeline[] {
    for (const [id, { place, times, stopped }] of this.#blocks) {
      const pipeline = this.#parts.projects.pipeline(place.project, place.pipeline);
      const over = stopped ? pipeline?.wantedRevision !== null : this.#recent(times).length === 0;
      if (pipeline === null || over) this.#blocks.delete(id);
    }
    return [...this.#blocks.values()].map(({ place, times, stopped }) => ({ ...place, times: times.length, stopped }));
  }

  #recent(times: readonly number[]): number[] {
    return times.filter((time) => time > this.#parts.now() - QUARANTINE_WINDOW_MS);
  }

  /** False: it is not running, so there is nothing to stop. */
  #stop(place: BlockedNode, times: number): boolean {
    const { project, pipeline, node } = place;
    const { projects, audit, log } = this.#parts;
    const wanted = projects.pipeline(project, pipeline)?.wantedRevision ?? null;
    if (wanted === null) return false;
    const detail = `node ${node} blocked the gateway ${times} times within ${QUARANTINE_WINDOW_MS / 60_000} minutes`;
    const row = { act: 'pipeline.quarantine', project, pipeline, target: pipeline, detail };
    // First in memory: a full disk must not keep it running.
    projects.holdStopped(project, pipeline);
    try {
      projects.saveStopped(project, pipeline);
    } catch (error) {
      log.error('a pipeline that blocks the gateway is stopped, but this could not be saved', { error });
      this.#parts.saveLater(place, row);
      return true;
    }
    audit.record(row).catch((error: unknown) => log.error('a quarantine could not be recorded', { error }));
    return true;
  }
}

/** Reads the file once. The gateway writes it, so it is untrusted: limited, checked, null if it is invalid. */
function takeBlockedNode(dataDir: string): BlockedNode | null {
  const file = blockedNodeFile(dataDir);
  try {
    if (!statSync(file).isFile() || statSync(file).size > FILE_BYTES_MAX) return null;
    return blockedNode.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  } finally {
    rmSync(file, { force: true, recursive: true });
  }
}
