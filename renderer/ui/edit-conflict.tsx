import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Note } from './note.tsx';
import { useKeptDraft } from './use-kept-draft.ts';

/** Another user saved the object of an open form, and the form's content differs. */
export interface EditConflict {
  /** Nothing is saved over it until the user has chosen. */
  readonly isOpen: boolean;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

interface Watched<Saved> {
  /** As in `useKeptDraft`. */
  place: string;
  /** The saved version, which is updated automatically; null: a new object, or one that was deleted. */
  saved: Saved | null;
  /** The version that the form would save. */
  mine: Saved;
  /** Fills the form again. */
  take: () => void;
}

/** An unchanged form follows the changes of other users; a changed one asks. */
export function useEditConflict<Saved>({ place, saved, mine, take }: Watched<Saved>): EditConflict {
  const [now, typed] = [JSON.stringify(saved), JSON.stringify(mine)];
  const [seen, setSeen] = useKeptDraft(`${place} as it was read`, () => now);
  const isOlder = saved !== null && seen !== now;
  const follows = isOlder && (typed === seen || typed === now);
  useEffect(() => {
    if (!follows) return;
    if (typed === seen) take();
    setSeen(now);
  }, [follows, typed, seen, now, take, setSeen]);
  const takeTheirs = () => {
    take();
    setSeen(now);
  };
  return { isOpen: isOlder && !follows, keepMine: () => setSeen(now), takeTheirs };
}

/** The conflict and the two choices. `what`: the conflicting part, if there are several. */
export function OthersSaveNote({ others, what }: { others: EditConflict; what?: string }) {
  const { t } = useTranslation();
  if (!others.isOpen) return null;
  return (
    <Note kind="warning" title={t('shell.others.title')}>
      <p className="t2">
        {what !== undefined && <b>{what} </b>}
        {t('shell.others.lead')}
      </p>
      <p className="row wrap">
        <Button onClick={others.keepMine}>{t('shell.others.mine')}</Button>
        <Button onClick={others.takeTheirs}>{t('shell.others.theirs')}</Button>
      </p>
    </Note>
  );
}
