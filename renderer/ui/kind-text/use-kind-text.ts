import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/**
 * Kinds tell their titles and help in English. A language has them in one file, `languages/<code>.ts`, by their English
 * ones; what is not in it (a kind of a third party) stays as it is.
 */
type Texts = Readonly<Record<string, string>>;
const FILES = import.meta.glob<{ texts: Texts }>('./languages/*.ts');

/** Gives a text of a kind in the window's language. */
export function useKindText(): (text: string) => string {
  const { i18n } = useTranslation();
  const load = FILES[`./languages/${i18n.language}.ts`];
  const { data } = useQuery({
    queryKey: ['kind-text', i18n.language],
    queryFn: async () => (await load?.())?.texts ?? {},
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (text) => data?.[text] ?? text;
}
