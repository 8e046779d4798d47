import { choiceId, type Choice } from '../model/choices.ts';
import { categoryWord, choiceTitle } from './choice-words.ts';
import type { EditorActions } from './editor-actions.ts';
import { Glyph } from './glyph.tsx';
import type { Pick } from './pick-list.tsx';

/** A kind as a line of a list. */
export function choicePick(desk: EditorActions, choice: Choice, run: () => void): Pick {
  return {
    id: choiceId(choice).replace(' ', '-'),
    label: choiceTitle(desk.t, choice),
    note: categoryWord(desk.t, choice.category),
    words: `${choice.kind.id} ${choice.kind.summary}`,
    icon: <Glyph kind={choice.kind.id} category={choice.category} />,
    run,
  };
}
