import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { CALL_OUTCOMES, type CallOutcome } from '#common/model/call-outcome.ts';
import type { JournalFilter } from '#api/journal-queries.ts';
import { useNow } from '#ui/now.ts';
import { useAddress } from '#ui/use-address.ts';
import { rangeOf, rangeStep, type Range } from './journal-range.ts';

/** `live`: refusals as they happen, instead of rows of the journal. */
export const SHOWN = ['all', 'outcome', 'refusal', 'live', 'written', 'admin'] as const;
export type Shown = (typeof SHOWN)[number];

export interface JournalAddress {
  /** Words that each row must contain. */
  find: string;
  keyId: string;
  route: string;
  address: string;
  outcome: CallOutcome | '';
  /** The thing that was written, such as `tag:line7/filler/setpoint`. */
  thing: string;
  /** The request whose refusal is explained. */
  why: string;
  show: Shown;
  range: Range;
  /** The range before a part of the chart was selected, or "". */
  wide: string;
  filter: JournalFilter;
  change: (patch: Record<string, string>) => void;
}

const isShown = (value: string): value is Shown => SHOWN.some((one) => one === value);
const isOutcome = (value: string): value is CallOutcome => CALL_OUTCOMES.some((one) => one === value);

/**
 * The shown selection is part of the address, so that it can be shared:
 * `?find=…&keyId=…&route=…&address=…&outcome=…&thing=…&show=…&range=…&from=…&to=…&why=…` (`type` is another name of `show`).
 */
export function useJournalAddress(): JournalAddress {
  const [search] = useSearchParams();
  const { change } = useAddress();
  const step = rangeStep(useNow());
  const text = search.toString();
  // The same object for the same address: the chart and the counts are not rendered again for each page of rows.
  return useMemo(() => ({ ...readAddress(text, new Date(step)), change }), [text, step, change]);
}

/** All filters but the range, empty. */
export const NO_FILTERS = {
  thing: '',
  find: '',
  keyId: '',
  route: '',
  address: '',
  outcome: '',
  show: '',
  type: '',
  why: '',
};

function readAddress(text: string, now: Date): Omit<JournalAddress, 'change'> {
  const search = new URLSearchParams(text);
  const read = (name: string) => search.get(name) ?? '';
  const [find, keyId, route, address] = [read('find'), read('keyId'), read('route'), read('address')];
  const thing = read('thing');
  const [kind, asked] = [read('show') || read('type'), read('outcome')];
  const show = isShown(kind) ? kind : 'all';
  const outcome = isOutcome(asked) ? asked : '';
  const range = rangeOf(read, find !== '' || keyId !== '' || thing !== '', now);
  const filter: JournalFilter = {
    ...(find !== '' && { find }),
    ...(keyId !== '' && { keyId }),
    ...(route !== '' && { route }),
    ...(address !== '' && { address }),
    ...(outcome !== '' && { outcome }),
    ...(thing !== '' && { thing }),
    ...(show !== 'all' && show !== 'live' && { type: show }),
    ...(range.from !== undefined && { from: range.from }),
    ...(range.to !== undefined && { to: range.to }),
  };
  return { find, keyId, route, address, outcome, thing, why: read('why'), show, range, wide: read('wide'), filter };
}
