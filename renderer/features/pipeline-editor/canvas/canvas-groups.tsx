import { useFocusWithin } from '@mantine/hooks';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { GROUP_TITLE_CHARS_MAX } from '#common/model/canvas-notes.ts';
import { useShownDefinition } from '../editor-context.tsx';
import { nodeOf, type Point } from '../model/draft.ts';
import { groupBoxes, TITLE_HEIGHT, type GroupBox } from '../model/notes.ts';
import { ARROWS } from './arrows.ts';
import { useCanvas } from './canvas-context.ts';
import { followDrag } from './drag.ts';
import { editable, shown, useEditorActions } from './editor-actions.ts';
import { moveTo } from './edit-acts.ts';
import { chooseGroup, moveGroupBy, nameGroup, ungroup } from './note-acts.ts';
import { RemoveButton } from './remove-button.tsx';

/** Frames around the nodes of groups, each with a title that moves all of them. */
export function CanvasGroups() {
  const desk = useEditorActions();
  const definition = useShownDefinition();
  const moving = useCanvas((state) => state.moving);
  return groupBoxes(definition, desk.kinds, moving).map((box) => <Frame key={box.group.id} box={box} />);
}

function Frame({ box: { group, x, y, width, height } }: { box: GroupBox }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const { ref, focused } = useFocusWithin();
  const writing = useCanvas((state) => state.writing);
  const isWritten = writing?.kind === 'group' && writing.id === group.id;
  return (
    <div ref={ref} className="canvas-group" style={{ transform: `translate(${x}px, ${y}px)`, width, height }}>
      {isWritten ? <WrittenTitle group={group} /> : <Title group={group} />}
      {focused && !isWritten && editable(desk) && (
        <RemoveButton
          icon="close"
          label={t('editor.act.ungroup', { title: group.title })}
          remove={() => ungroup(desk, group)}
        />
      )}
    </div>
  );
}

type Of = Pick<GroupBox, 'group'>;

function Title({ group }: Of) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const mayEdit = editable(desk);
  const rename = () => desk.canvas.set({ writing: { kind: 'group', id: group.id } });
  const pressed = (event: KeyboardEvent) => {
    const arrow = event.altKey ? ARROWS[event.key] : undefined;
    if (!mayEdit) return;
    if (arrow !== undefined) moveGroupBy(desk, group.id, arrow.x, arrow.y);
    else if (event.key === 'F2') rename();
    else if (event.key === 'Delete' || event.key === 'Backspace') ungroup(desk, group);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const spots = (by: Point) =>
    new Map(
      group.nodes.flatMap((id) => {
        const position = nodeOf(shown(desk), id)?.position;
        return position === undefined ? [] : [[id, { x: position.x + by.x, y: position.y + by.y }] as const];
      }),
    );
  return (
    <button
      type="button"
      className="canvas-group-title nopan"
      style={{ height: TITLE_HEIGHT }}
      aria-label={t('editor.groupNamed', { title: group.title, count: group.nodes.length })}
      onClick={() => chooseGroup(desk, group.id)}
      onDoubleClick={() => mayEdit && rename()}
      onKeyDown={pressed}
      onPointerDown={(event) =>
        mayEdit &&
        followDrag(event, desk.flow.getZoom(), {
          moved: (by) => desk.canvas.set({ moving: spots(by) }),
          ended: (by) => {
            if (by !== null) moveTo(desk, spots(by));
            desk.canvas.set({ moving: null });
          },
        })
      }
    >
      {group.title}
    </button>
  );
}

function WrittenTitle({ group }: Of) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const [title, setTitle] = useState(group.title);
  const keep = () => nameGroup(desk, group.id, title);
  return (
    <input
      className="canvas-group-title nopan nodrag"
      style={{ height: TITLE_HEIGHT }}
      aria-label={t('editor.groupTitle')}
      maxLength={GROUP_TITLE_CHARS_MAX}
      ref={(element) => {
        if (element === null || element === document.activeElement) return;
        element.focus();
        element.select();
      }}
      value={title}
      onChange={(event) => setTitle(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') desk.canvas.set({ writing: null });
        if (event.key === 'Enter') keep();
      }}
      onBlur={keep}
    />
  );
}
