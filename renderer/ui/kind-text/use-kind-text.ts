import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/**
 * Node kinds, settings and connections have their titles and help in English. A language has them in
 * `common/languages/<code>/kinds.ts` by the English text; a text that is not in it (of a kind of a third party) stays as it is.
 */
type Texts = Readonly<Record<string, string>>;
const FILES = import.meta.glob<{ texts: Texts }>('../../../common/languages/*/kinds.ts');

/** Gives a text of a kind in the window's language. */
export function useKindText(): (text: string) => string {
  const { i18n } = useTranslation();
  const load = FILES[`../../../common/languages/${i18n.language}/kinds.ts`];
  const { data } = useQuery({
    queryKey: ['kind-text', i18n.language],
    queryFn: async () => (await load?.())?.texts ?? {},
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (text) => data?.[text] ?? text;
}
