import { useFocusWithin } from '@mantine/hooks';
import { ViewportPortal } from '@xyflow/react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTE_CHARS_MAX, type CanvasNote } from '#common/model/canvas-notes.ts';
import { useShownDefinition } from '../editor-context.tsx';
import { GRID, type Point } from '../model/draft.ts';
import { notesOf } from '../model/notes.ts';
import { ARROWS } from './arrows.ts';
import { useCanvas } from './canvas-context.ts';
import { followDrag } from './drag.ts';
import { editable, useEditorActions } from './editor-actions.ts';
import { CanvasGroups } from './canvas-groups.tsx';
import { dropNote, keepNote, moveNoteTo, write } from './note-acts.ts';
import { RemoveButton } from './remove-button.tsx';

/** Notes above the nodes, frames of groups behind them. */
export function CanvasNotes() {
  const notes = notesOf(useShownDefinition());
  const writing = useCanvas((state) => state.writing);
  const written = writing?.kind === 'note' ? writing.note : null;
  return (
    <ViewportPortal>
      <CanvasGroups />
      {notes.map((note) => note.id !== written?.id && <Note key={note.id} note={note} />)}
      {written !== null && <WrittenNote key={written.id} note={written} />}
    </ViewportPortal>
  );
}

const at = ({ x, y }: Point) => ({ transform: `translate(${x}px, ${y}px)` });

function Note({ note }: { note: CanvasNote }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const [by, setBy] = useState<Point>({ x: 0, y: 0 });
  const { ref, focused } = useFocusWithin();
  const { x, y } = note.position;
  const mayEdit = editable(desk);
  const pressed = (event: KeyboardEvent) => {
    const arrow = event.altKey ? ARROWS[event.key] : undefined;
    if (!mayEdit) return;
    if (arrow !== undefined) moveNoteTo(desk, note, { x: x + arrow.x * GRID, y: y + arrow.y * GRID });
    else if (event.key === 'F2') write(desk, note);
    else if (event.key === 'Delete' || event.key === 'Backspace') dropNote(desk, note);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={ref} className="canvas-note-place" style={at({ x: x + by.x, y: y + by.y })}>
      <button
        type="button"
        className="canvas-note nopan"
        aria-label={t('editor.noteNamed', { text: note.text })}
        onKeyDown={pressed}
        // By Enter or Space: a click of the pointer only selects it.
        onClick={({ detail }) => detail === 0 && write(desk, note)}
        onDoubleClick={() => write(desk, note)}
        onPointerDown={(event) =>
          mayEdit &&
          followDrag(event, desk.flow.getZoom(), {
            moved: setBy,
            ended: (end) => {
              setBy({ x: 0, y: 0 });
              if (end !== null) moveNoteTo(desk, note, { x: x + end.x, y: y + end.y });
            },
          })
        }
      >
        {note.text}
      </button>
      {focused && mayEdit && (
        <RemoveButton icon="bin" label={t('editor.act.removeNote')} remove={() => dropNote(desk, note)} />
      )}
    </div>
  );
}

/** Leaving it keeps the text; Escape leaves the note as it was. */
function WrittenNote({ note }: { note: CanvasNote }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const [text, setText] = useState(note.text);
  return (
    <div className="canvas-note-place" style={at(note.position)}>
      <textarea
        className="canvas-note nopan nodrag"
        aria-label={t('editor.note')}
        placeholder={t('editor.notePlaceholder')}
        maxLength={NOTE_CHARS_MAX}
        rows={3}
        // The user has just asked for it.
        ref={(element) => element?.focus({ preventScroll: true })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') desk.canvas.set({ writing: null });
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keepNote(desk, { ...note, text });
        }}
        onBlur={() => keepNote(desk, { ...note, text })}
      />
    </div>
  );
}
