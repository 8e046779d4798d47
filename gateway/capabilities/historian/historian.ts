import type { CallArgs, CallValue } from '#common/capabilities/calls.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import type { DiskRoom } from '../disk-meter.ts';
import { FileGrowth } from '../file-growth.ts';
import type { CallContext, Capability } from '../contract.ts';
import type { Tags } from '../tags/contract.ts';
import { makeAnswer } from './answer.ts';
import { DiskGuard } from './disk-guard.ts';
import { DISK_CHECK_MS, HISTORY_BYTES_MAX, PRUNE_EVERY_MS, QUERY_MS_MAX, RETENTION_DAYS } from './limits.ts';
import { HistoryReader } from './reader/history-reader.ts';
import { Recorder } from './recorder.ts';
import { resolveQuery, type TagMap } from './resolve-query.ts';
import { HistoryWriter } from './writer/history-writer.ts';

/**
 * The historian (`hist:read`): records tags into `history.sqlite` and answers queries about them.
 *
 * tags → recorder (deadband, longest interval) → queue → writing thread → file → reading thread → result. The gateway's
 * main thread never waits for the disk here. Recorded values can be queried after their batch is written; a query waits
 * at most FLUSH_MS_MAX for that.
 *
 * Limits: limits.ts. Security: a query reaches only the series of its own project; IDs of series are never reused.
 * Known weaknesses: a value holds until the next point, including while the gateway is stopped; the clock of a source
 * is trusted unless it is a day ahead; between two points with suppressed changes between them, `interpolated` draws a
 * straight line.
 */
export interface HistorianOptions {
  /** Absolute path of `history.sqlite`; its folder exists. */
  readonly file: string;
  readonly tags: Tags;
  readonly log: Logger;
  /** Free space on the disk that recording needs, in bytes. */
  readonly diskReserveBytes: () => number;
  readonly disk: Pick<DiskRoom, 'room' | 'note' | 'charge'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly retentionDays?: number;
  readonly bytesMax?: number;
  readonly pruneEveryMs?: number;
  readonly diskCheckMs?: number;
  readonly queryMsMax?: number;
  readonly queuePointsMax?: number;
}

export interface Historian extends Capability<'historian.query'> {
  /** Resolves when all values recorded so far are on disk, or after `msMax`. */
  flush(msMax: number): Promise<void>;
}

const FLUSH_MS_MAX = 200;
/** Approximate bytes of a point in the file and its WAL, without its text. */
const POINT_BYTES = 64;
/** The file is created at the first start, which can be slow on a busy machine. */
const OPEN_MS_MAX = 5_000;
const FORGET_MS_MAX = 1_000;
const NO_TAGS: TagMap = new Map();

export function createHistorian(options: HistorianOptions): Historian {
  const { file, tags, log, now = Date.now, queryMsMax = QUERY_MS_MAX } = options;
  const writer = new HistoryWriter(writerOptions(options), log, options.queuePointsMax);
  const reader = new HistoryReader(file, log);
  const disk = new DiskGuard({
    file,
    reserveBytes: options.diskReserveBytes,
    everyMs: options.diskCheckMs ?? DISK_CHECK_MS,
    log,
  });
  const growth = new FileGrowth({ file, kind: 'history', disk: options.disk, log });
  const recorder = new Recorder(
    tags,
    (series, time, encoded) => {
      const bytes = POINT_BYTES + (typeof encoded.stored === 'string' ? encoded.stored.length : 0);
      if (disk.full || !growth.hasRoom(series.project, bytes)) return false;
      growth.add(series.project, bytes);
      return writer.add(series, time, encoded);
    },
    now,
  );
  const defined = new Map<string, ReadonlyMap<string, TagDefinition>>();

  async function query(
    args: CallArgs<'historian.query'>,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<CallValue<'historian.query'>> {
    const known = defined.get(context.project) ?? NO_TAGS;
    const request = resolveQuery(context.project, args, known, now());
    writer.start();
    await writer.flush(writer.opened ? FLUSH_MS_MAX : OPEN_MS_MAX);
    const msMax = Math.min(queryMsMax, context.remainingMs());
    const series = await reader.query(request, msMax, signal);
    return makeAnswer(series, (path) => known.get(path)?.unit, signal);
  }

  /** A full list of tag listeners must not prevent the change of the project. */
  function record(project: string, definitions: readonly TagDefinition[]): void {
    try {
      // Started now and not with the first point, so that a file that cannot be created is reported early.
      if (definitions.some(({ history }) => history !== null)) writer.start();
      recorder.configure(project, definitions);
    } catch (error) {
      log.error('the tags of a project are not recorded', { project, error });
    }
  }

  return {
    calls: { 'historian.query': query },
    async configure(project, resources) {
      if (resources !== null) {
        defined.set(project, new Map(resources.tags.map((tag) => [tag.path, tag])));
        return record(project, resources.tags);
      }
      defined.delete(project);
      recorder.remove(project);
      writer.forget(project);
      await writer.flush(FORGET_MS_MAX);
    },
    flush: (msMax) => writer.flush(msMax),
    async close() {
      recorder.close();
      disk.close();
      growth.close();
      await Promise.all([reader.close(), writer.close()]);
    },
  };
}

function writerOptions({ file, retentionDays, bytesMax, pruneEveryMs }: HistorianOptions) {
  return {
    file,
    retentionDays: retentionDays ?? RETENTION_DAYS,
    bytesMax: bytesMax ?? HISTORY_BYTES_MAX,
    pruneEveryMs: pruneEveryMs ?? PRUNE_EVERY_MS,
  };
}
