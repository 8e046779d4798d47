import { Box } from '@mantine/core';
import {
  useId,
  useMemo,
  useRef,
  useState,
  useEffect,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { useEditor } from '../editor-context.tsx';
import { byCategory, choiceId, choicesOf, type Choice } from '../model/choices.ts';
import { foundBy } from '#ui/found-by.ts';
import { useCanvas } from './canvas-context.ts';
import { categoryWord, choiceNote, choiceText, choiceTitle, railWord } from './choice-words.ts';
import { editable, useEditorActions, type EditorActions } from './editor-actions.ts';
import { addBehind } from './edit-acts.ts';
import { Glyph } from './glyph.tsx';
import { dragFromPalette } from './palette-drag.ts';

/** The node kinds by category: dragged onto the canvas, tapped and placed, or added after the selected node. */
export function Palette() {
  const { t } = useTranslation();
  const desk = useEditorActions();
  useEditor((state) => state.showsRunning);
  const groups = useMemo(() => byCategory(choicesOf(desk.kinds)), [desk.kinds]);
  if (!editable(desk)) return <div className="editor-palette none" />;
  return (
    <aside className="editor-palette" aria-label={t('editor.palette')} data-region="palette">
      <PaletteRail groups={groups} />
      <div className="palette-list">
        <SearchedGroups groups={groups} />
      </div>
    </aside>
  );
}

type Groups = [string, Choice[]][];

/** From 1600 px: all kinds, with search. */
function SearchedGroups({ groups, onDone }: { groups: Groups; onDone?: () => void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const found = useMemo(() => searched(t, groups, query), [t, groups, query]);
  return (
    <>
      <div className="flow-search">
        <Icon name="search" />
        <input
          className="field-box"
          type="search"
          aria-label={t('editor.findKind')}
          placeholder={t('editor.findKind')}
          value={query}
          ref={onDone === undefined ? undefined : (input) => input?.focus()}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      {found === null ? (
        groups.map(([category, choices]) => (
          <section key={category} aria-label={categoryWord(t, category)}>
            <h2>{categoryWord(t, category)}</h2>
            <Choices choices={choices} {...(onDone && { onDone })} />
          </section>
        ))
      ) : (
        <section aria-label={t('editor.found')}>
          <Choices choices={found} {...(onDone && { onDone })} />
        </section>
      )}
      {found?.length === 0 && <p className="flow-none">{t('editor.nothingFound')}</p>}
    </>
  );
}

/** Without a query, by category; otherwise the matches, the best first. */
function searched(t: TFunction, groups: Groups, query: string): Choice[] | null {
  if (query.trim() === '') return null;
  return foundBy(
    groups.flatMap(([, choices]) => choices),
    query,
    (choice) => choiceText(t, choice),
  );
}

function Choices({ choices, onDone }: { choices: readonly Choice[]; onDone?: () => void }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const touched = useRef(false);
  const id = useId();
  return choices.map((choice) => (
    <button
      type="button"
      key={choiceId(choice)}
      className="palette-item"
      title={choice.kind.summary}
      aria-describedby={`${id}${choiceId(choice).replace(' ', '-')}`}
      onPointerDown={(event) => {
        touched.current = event.pointerType === 'touch';
        dragFromPalette(desk, event, choice);
      }}
      onClick={(event) => {
        take(desk, choice, touched.current, event);
        touched.current = false;
        onDone?.();
      }}
    >
      <Glyph kind={choice.kind.id} category={choice.category} />
      <span className="flow-two">
        <span>{choiceTitle(t, choice)}</span>
        <small id={`${id}${choiceId(choice).replace(' ', '-')}`} aria-hidden="true">
          {choiceNote(t, choice)}
        </small>
      </span>
    </button>
  ));
}

/** Touch chooses the place next; mouse and keyboard add it after the selected node. */
function take(desk: EditorActions, choice: Choice, touched: boolean, event: MouseEvent): void {
  if (!touched || event.detail === 0) return addBehind(desk, choice);
  desk.canvas.set({ placing: choice, refused: null, popup: null });
  desk.canvas.say(desk.t('editor.strip.place', { name: choiceTitle(desk.t, choice) }));
}

/** At 1280: a rail of categories, each with a flyout. */
function PaletteRail({ groups }: { groups: Groups }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(null);
  const rail = useRef<HTMLDivElement>(null);
  useClosedOutside(rail, () => setOpen(null));
  // A node that is dragged out of the flyout may be dropped in its area.
  const carried = useCanvas((state) => state.dragged !== null);
  if (carried && open !== null) setOpen(null);
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || open === null) return;
    event.stopPropagation();
    rail.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    setOpen(null);
  };
  const entry = (id: string, label: string, icon: React.ReactNode) => (
    <button
      type="button"
      key={id}
      className="palette-tab"
      aria-expanded={open === id}
      onClick={() => setOpen((now) => (now === id ? null : id))}
    >
      {icon}
      <span>{label}</span>
    </button>
  );
  const choices = groups.find(([category]) => category === open)?.[1];
  return (
    <Box className="palette-rail" ref={rail} onKeyDown={keys}>
      {entry('find', t('editor.find'), <Icon name="search" />)}
      {groups.map(([category]) => entry(category, railWord(t, category), <Glyph kind="" category={category} />))}
      {open === 'find' && (
        <div className="palette-flyout">
          <SearchedGroups groups={groups} onDone={() => setOpen(null)} />
        </div>
      )}
      {open !== null && choices !== undefined && (
        <section className="palette-flyout" aria-label={categoryWord(t, open)}>
          <h2>{categoryWord(t, open)}</h2>
          <Choices choices={choices} onDone={() => setOpen(null)} />
        </section>
      )}
    </Box>
  );
}

/** A press elsewhere closes the flyout, unless a kind is being dragged out of it. */
function useClosedOutside(element: RefObject<HTMLElement | null>, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && element.current?.contains(target) === false) latest.current();
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [element]);
}
