import type { AuditRow } from '#common/model/audit.ts';
import { sourceNetwork } from '#common/cidr.ts';
import type { Logger } from '#common/node/log.ts';
import type { Audit } from '../contracts.ts';
import { record } from './acts.ts';

/**
 * Refused calls of the admin API in the journal, folded: for each network, user and code the first 10 of a minute get
 * single rows, the others are counted and become one row at the end of the minute. The row of a single call is written
 * before its reply. A journal that cannot be written changes nothing for the caller, who is refused either way.
 *
 * Limits, so that no flood displaces other rows: 256 folds per minute, and one for all further ones; 10 single rows per
 * second in total, of which a network gets 3 and callers without a session 5; paths of 256 characters. A crash loses up
 * to a minute of counts.
 */
export const SINGLES_MAX = 10;
export const SINGLES_PER_SECOND_MAX = 10;
export const SINGLES_PER_SECOND_OF_NETWORK_MAX = 3;
export const SINGLES_PER_SECOND_WITHOUT_SESSION_MAX = 5;
export const FOLDS_MAX = 256;
const FOLD_PERIOD_MS = 60_000;
const SECOND_MS = 1_000;
const PATH_CHARS_MAX = 256;

export const REFUSED_ACT = 'call.refused';

/** `time` is set by the host when the row is written. */
export interface RefusedCall extends Pick<AuditRow, 'requestId' | 'method' | 'path' | 'user' | 'status' | 'code'> {
  ip: string;
}

interface Fold {
  singles: number;
  count: number;
  /** RFC 3339; of the first refusal that was only counted. */
  from: string;
  to: string;
  last: RefusedCall;
}

export interface RefusedCalls {
  /** Resolves when the call is counted, or its row is written or could not be. */
  add(call: RefusedCall): Promise<void>;
  /** Writes the counted refusals. */
  write(): Promise<void>;
  close(): Promise<void>;
}

export function createRefusedCalls(
  audit: Pick<Audit, 'record'>,
  log: Logger,
  nowMs = () => performance.now(),
): RefusedCalls {
  let folds = new Map<string, Fold>();
  let second = new SecondOfSingles(-Infinity);
  const timer = setInterval(() => void write(), FOLD_PERIOD_MS);
  timer.unref();

  function foldOf(call: RefusedCall): Fold {
    const { ip, user = '', code = '' } = call;
    const key = JSON.stringify([sourceNetwork(ip), user, code]);
    const name = folds.has(key) || folds.size < FOLDS_MAX ? key : '';
    const fold = folds.get(name) ?? { singles: 0, count: 0, from: '', to: '', last: call };
    folds.set(name, fold);
    return fold;
  }

  function mayBeSingle({ singles }: Fold, call: RefusedCall): boolean {
    if (singles >= SINGLES_MAX) return false;
    const now = nowMs();
    if (now - second.atMs >= SECOND_MS) second = new SecondOfSingles(now);
    return second.take(call);
  }

  async function append(row: Partial<AuditRow>): Promise<void> {
    await record(audit, { ...row, act: REFUSED_ACT }, '').catch((error: unknown) =>
      log.warn('a refused call is not in the journal', { code: row.code, count: row.count ?? 1, error }),
    );
  }

  async function write(): Promise<void> {
    const counted = [...folds.values()].filter(({ count }) => count > 0);
    folds = new Map();
    await Promise.all(counted.map((fold) => append(countedRow(fold))));
  }

  return {
    async add(call) {
      const fold = foldOf(call);
      const clipped = { ...call, path: clip(call.path ?? '') };
      if (mayBeSingle(fold, call)) {
        fold.singles += 1;
        return append(clipped);
      }
      const now = new Date().toISOString();
      if (fold.count === 0) fold.from = now;
      fold.count += 1;
      Object.assign(fold, { to: now, last: clipped });
      return undefined;
    },
    write,
    close() {
      clearInterval(timer);
      return write();
    },
  };
}

/** The single rows of one second. */
class SecondOfSingles {
  readonly atMs: number;
  readonly #byNetwork = new Map<string, number>();
  #all = 0;
  #withoutSession = 0;

  constructor(atMs: number) {
    this.atMs = atMs;
  }

  /** Counts the call as a single row. False: it would exceed a share. */
  take({ ip, user }: RefusedCall): boolean {
    const network = sourceNetwork(ip);
    const ofNetwork = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= SINGLES_PER_SECOND_MAX || ofNetwork >= SINGLES_PER_SECOND_OF_NETWORK_MAX) return false;
    if (user === undefined && this.#withoutSession >= SINGLES_PER_SECOND_WITHOUT_SESSION_MAX) return false;
    if (user === undefined) this.#withoutSession += 1;
    this.#byNetwork.set(network, ofNetwork + 1);
    this.#all += 1;
    return true;
  }
}

function countedRow({ count, from, to, last }: Fold): Partial<AuditRow> {
  const { requestId: _id, ...rest } = last;
  return { ...rest, count, detail: `${count} from ${from} to ${to}` };
}

function clip(path: string): string {
  return path.length <= PATH_CHARS_MAX ? path : `${path.slice(0, PATH_CHARS_MAX - 1)}…`;
}
