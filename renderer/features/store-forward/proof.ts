import type { Rehearsal } from '#common/model/egress.ts';

/** One clause of the proof at the end of a rehearsal, by the name of its text. */
export interface Clause {
  text: 'accepted' | 'waitedBefore' | 'delivered' | 'dead' | 'waiting' | 'lost' | 'reordered';
  count: number;
  wrong: boolean;
}

export interface Proof {
  /** empty: no events were received, so nothing was proven. */
  verdict: 'proven' | 'empty' | 'broken';
  clauses: Clause[];
}

/** "12 accepted while blocked, 12 delivered, 0 lost, 0 out of order", with errors highlighted. */
export function proofOf(rehearsal: Rehearsal): Proof {
  const { accepted, waitedBefore, delivered, dead, waiting, lost, reordered } = rehearsal;
  const clauses: Clause[] = [
    { text: 'accepted', count: accepted, wrong: false },
    ...(waitedBefore > 0 ? [{ text: 'waitedBefore', count: waitedBefore, wrong: false } as const] : []),
    { text: 'delivered', count: delivered, wrong: false },
    ...(dead > 0 ? [{ text: 'dead', count: dead, wrong: false } as const] : []),
    ...(waiting > 0 ? [{ text: 'waiting', count: waiting, wrong: false } as const] : []),
    { text: 'lost', count: lost, wrong: lost > 0 },
    { text: 'reordered', count: reordered, wrong: reordered > 0 },
  ];
  if (clauses.some((clause) => clause.wrong)) return { verdict: 'broken', clauses };
  return { verdict: accepted + waitedBefore === 0 ? 'empty' : 'proven', clauses };
}
