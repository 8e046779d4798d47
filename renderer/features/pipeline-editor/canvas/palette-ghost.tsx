import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useCanvas } from './canvas-context.ts';
import { choiceTitle } from './choice-words.ts';
import { Glyph } from './glyph.tsx';

/** The node that is being dragged from the palette, at the pointer. */
export function PaletteGhost() {
  const { t } = useTranslation();
  const dragged = useCanvas((state) => state.dragged);
  if (dragged === null) return null;
  const { choice, at } = dragged;
  return createPortal(
    <div className="flow-ghost" style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)` }}>
      <span className="flow-glyph">
        <Glyph kind={choice.kind.id} category={choice.category} />
      </span>
      {choiceTitle(t, choice)}
    </div>,
    document.body,
  );
}
