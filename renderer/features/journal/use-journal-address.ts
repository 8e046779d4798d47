import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { JournalFilter } from '#api/journal-queries.ts';
import { useNow } from '#ui/now.ts';
import { useAddress } from '#ui/use-address.ts';
import { rangeOf, type Range } from './journal-range.ts';

export const SHOWN = ['all', 'refusal', 'outcome', 'admin'] as const;
export type Shown = (typeof SHOWN)[number];

export interface JournalAddress {
  /** A route, an error code or a request ID. */
  find: string;
  keyId: string;
  /** The request whose refusal is explained. */
  why: string;
  show: Shown;
  range: Range;
  filter: JournalFilter;
  change: (patch: Record<string, string>) => void;
}

const isShown = (value: string): value is Shown => SHOWN.some((one) => one === value);

/**
 * The shown selection is part of the address, so that it can be shared:
 * `?find=…&keyId=…&show=…&range=…&from=…&to=…&why=…` (`type` is another name of `show`).
 */
export function useJournalAddress(): JournalAddress {
  const [search] = useSearchParams();
  const { change } = useAddress();
  const day = useNow().toDateString();
  const text = search.toString();
  return { ...useMemo(() => readAddress(text, new Date(day)), [text, day]), change };
}

function readAddress(text: string, day: Date): Omit<JournalAddress, 'change'> {
  const search = new URLSearchParams(text);
  const read = (name: string) => search.get(name) ?? '';
  const [find, keyId] = [read('find'), read('keyId')];
  const kind = read('show') || read('type');
  const show = isShown(kind) ? kind : 'all';
  const range = rangeOf(read, find !== '' || keyId !== '', day);
  const filter: JournalFilter = {
    ...found(find),
    ...(keyId !== '' && { keyId }),
    ...(show !== 'all' && { type: show }),
    ...(range.from !== undefined && { from: range.from }),
    ...(range.to !== undefined && { to: range.to }),
  };
  return { find, keyId, why: read('why'), show, range, filter };
}

function found(find: string): JournalFilter {
  if (find === '') return {};
  if (find.startsWith('/')) return { route: find };
  return Object.hasOwn(CATALOGUE, find) ? { code: find } : { requestId: find };
}
