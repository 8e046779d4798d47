import { type WriteJournal, WriteLog } from './write-log.ts';

/** For tests that are not about the rows of writes: no row is written. */
export const NO_JOURNAL: WriteJournal = {
  state: 'ok',
  commit: (_line, done) => process.nextTick(done, true),
  record: () => undefined,
};

export const unrecordedWrites = (): WriteLog => new WriteLog(NO_JOURNAL, 'off');
