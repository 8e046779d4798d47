import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import { createSerialQueue, type SerialQueue } from '#common/serial-queue.ts';

/**
 * Keeps acts on one pipeline, changes of one project's resources, changes of the settings and attempts of the set-up in
 * order, and lets a project be deleted only while nothing else happens in it. Starting takes as long as the gateway
 * compiles; a save of the same pipeline waits for it, other pipelines do not. Changes that take rights away use none of
 * these locks (perform-restriction.ts).
 *
 * Limits: 16 acts wait for one pipeline, one project's resources, the settings or the set-up, further ones get
 * `overloaded`. Deleting never waits.
 */
export const WAITING_MAX = 16;
const RETRY_SECONDS = 5;

export interface Locks {
  /** Runs `act` when no other action on this pipeline is in progress. */
  pipeline<T>(project: string, pipeline: string, act: () => Promise<T>): Promise<T>;
  /** Runs `act` when no other change of the project's resources is in progress. */
  resources<T>(project: string, act: () => Promise<T>): Promise<T>;
  /**
   * Runs `act` while no other change of the settings, or of their certificate, is in progress: the gateway gets all
   * settings with each change, and a refused one is undone.
   */
  settings<T>(act: () => Promise<T>): Promise<T>;
  /** Runs `act` while no other attempt to create the first Administrator is in progress. */
  setup<T>(act: () => Promise<T>): Promise<T>;
  /** Runs `act`, which only must not coincide with the deletion of the project. */
  shared<T>(project: string, act: () => Promise<T>): Promise<T>;
  /** Runs `act` exclusively in the project, or throws `conflict`. */
  project<T>(project: string, act: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const queues = new Map<string, SerialQueue>();
  const busy = new Map<string, number>();
  const closed = new Set<string>();

  async function shared<T>(project: string, act: () => Promise<T>): Promise<T> {
    if (closed.has(project))
      throw new SluiceError(
        'conflict',
        `The project ${project} is being created, changed as a whole or deleted; try again.`,
      );
    busy.set(project, (busy.get(project) ?? 0) + 1);
    try {
      return await act();
    } finally {
      const left = (busy.get(project) ?? 1) - 1;
      if (left === 0) busy.delete(project);
      else busy.set(project, left);
    }
  }

  async function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? createSerialQueue(WAITING_MAX, tooMany);
    queues.set(key, queue);
    try {
      return await queue.take(act);
    } finally {
      if (queue.size === 0) queues.delete(key);
    }
  }

  return {
    pipeline: (project, pipeline, act) => shared(project, () => inTurn(`${project}/${pipeline}`, act)),
    // Project IDs contain no blanks, so this cannot be the key of a pipeline; the next ones have no slash.
    resources: (project, act) => shared(project, () => inTurn(`resources ${project}`, act)),
    settings: (act) => inTurn('settings', act),
    setup: (act) => inTurn('setup', act),
    shared,
    async project(project, act) {
      if (closed.has(project) || busy.has(project)) {
        throw new SluiceError('conflict', `Something in the project ${project} is being changed; try again.`);
      }
      closed.add(project);
      try {
        return await act();
      } finally {
        closed.delete(project);
      }
    },
  };
}

function tooMany(): SluiceError {
  return new SluiceError('overloaded', stated('changes_waiting'), { retryAfterSeconds: RETRY_SECONDS });
}
