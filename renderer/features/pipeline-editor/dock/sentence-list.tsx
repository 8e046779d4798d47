import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { changesBetween, type ChangeLine } from './change-summary.ts';
import type { Draft } from '../model/draft.ts';

/** All values that a sentence can contain. */
const NO_VALUES = { route: '', from: '', to: '', scopes: '', node: '', field: '', port: '' };

export function sentenceText(t: TFunction, { code, values }: ChangeLine): string {
  return t(`editorDock.change.${code}`, { ...NO_VALUES, ...values });
}

/** The differences in behaviour between two drafts; `before` null: nothing was running. */
export function SentenceList({ before, after, none }: { before: Draft | null; after: Draft; none: string }) {
  const { t } = useTranslation();
  const texts = [...new Set(changesBetween(before, after).map((sentence) => sentenceText(t, sentence)))];
  if (texts.length === 0) return <p className="t2">{none}</p>;
  return (
    <ul className="sentences">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
