import { Combobox } from '@mantine/core';
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListSearch } from '#ui/list-search.tsx';
import type { Point } from '../model/draft.ts';
import { foundBy } from '#ui/found-by.ts';
import { placeInCanvas, useLeavePopup } from './popup-menu.tsx';

export interface Pick {
  id: string;
  label: string;
  /** A description below the label. */
  note: string;
  icon?: ReactNode;
  /** Additional search terms. */
  words?: string;
  run: () => void;
}

/** Shown initially; the others are found by typing. */
const SHOWN_MAX = 200;

/** A searchable list: type, Up, Down, Enter. */
export function PickList({ label, picks, at }: { label: string; picks: readonly Pick[]; at: Point | null }) {
  const { t } = useTranslation();
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  const leave = useLeavePopup(box);
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const found = useMemo(() => search(picks, query), [picks, query]);
  const chosen = found[Math.min(place, found.length - 1)];
  const take = (pick: Pick | undefined) => {
    if (pick === undefined) return;
    leave();
    pick.run();
  };
  const find = (text: string) => {
    setQuery(text);
    setPlace(0);
  };
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter') take(chosen);
    else if (step !== undefined && found.length > 0) setPlace((now) => (now + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      open
      ref={box}
      className={at === null ? 'flow-popup picks middle' : 'flow-popup picks'}
      aria-label={label}
      style={at === null ? undefined : placeInCanvas(at)}
    >
      <div className="flow-search">
        <ListSearch
          inputRef={(input) => input?.focus()}
          label={label}
          list={`${id}list`}
          active={chosen === undefined ? undefined : `${id}${chosen.id}`}
          value={query}
          onKeyDown={keys}
          onChange={find}
        />
      </div>
      <Combobox onOptionSubmit={(value) => take(found.find((pick) => pick.id === value))}>
        <Combobox.Options id={`${id}list`} aria-label={label} className="flow-options">
          {found.map((pick) => (
            <Combobox.Option
              key={pick.id}
              value={pick.id}
              id={`${id}${pick.id}`}
              active={pick === chosen}
              selected={pick === chosen}
              aria-selected={pick === chosen}
              className="flow-item"
              ref={pick === chosen ? intoView : undefined}
            >
              {pick.icon}
              <span className="flow-two">
                <span>{pick.label}</span>
                <small>{pick.note}</small>
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox>
      {found.length === 0 && <p className="flow-none">{t('editor.nothingFound')}</p>}
    </dialog>
  );
}

function intoView(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'nearest' });
}

function search(picks: readonly Pick[], query: string): Pick[] {
  return foundBy(picks, query, ({ label, note, words = '' }) => ({ label, note, words })).slice(0, SHOWN_MAX);
}
