import { choiceId, type Choice } from '../model/choices.ts';
import { choiceNote, choiceText, choiceTitle } from './choice-words.ts';
import type { EditorActions } from './editor-actions.ts';
import { Glyph } from './glyph.tsx';
import type { Pick } from './pick-list.tsx';

/** A kind as a line of a list. */
export function choicePick(desk: EditorActions, choice: Choice, run: () => void): Pick {
  return {
    id: choiceId(choice).replace(' ', '-'),
    label: choiceTitle(desk.t, choice),
    note: choiceNote(desk.t, choice),
    words: choiceText(desk.t, choice).words,
    icon: <Glyph kind={choice.kind.id} category={choice.category} />,
    run,
  };
}
