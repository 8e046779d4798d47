import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { languageOf } from '#common/languages/languages.ts';

/**
 * Node kinds, settings and connections have their titles and help in English. A language has them in
 * `common/languages/<code>/kinds.ts` by the English text; a text that is not in it (of a kind of a third party) stays as
 * it is.
 */
export function useKindText(): (text: string) => string {
  const { i18n } = useTranslation();
  const load = languageOf(i18n.language)?.kinds;
  const { data } = useQuery({
    queryKey: ['kind-text', i18n.language],
    queryFn: async (): Promise<Readonly<Record<string, string>>> => (await load?.())?.kinds ?? {},
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (text) => data?.[text] ?? text;
}
