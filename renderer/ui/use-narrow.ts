import { useMediaQuery } from '@mantine/hooks';

/** Phones, and a panel of 1280 px at a zoom of 200 %. Style sheets have the same width. */
export const NARROW = '(max-width: 899.98px)';

/** One column: the bar has one menu, the rail is a drawer, tables are cards, the editor has tabs. */
export function useNarrow(): boolean {
  return useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false;
}
