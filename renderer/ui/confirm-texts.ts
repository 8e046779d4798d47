import type { TFunction } from 'i18next';

/** Questions whose texts are title, tick, keep and submit. */
type Question =
  | 'connections.deleting'
  | 'egress.discarding'
  | 'egress.rehearsing'
  | 'people.deactivating'
  | 'plugins.removing'
  | 'tokens.revoking';

/** The texts of a `ConfirmDialog`. */
export function confirmTexts(t: TFunction, question: Question, name: string) {
  return {
    title: t(`${question}.title`, { name }),
    tick: t(`${question}.tick`, { name }),
    keep: t(`${question}.keep`),
    act: t(`${question}.submit`),
  };
}
