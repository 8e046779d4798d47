import { Combobox } from '@mantine/core';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ListSearch } from '#ui/list-search.tsx';
import { foundIn, type Entry, type FoundGroup } from './entries.ts';
import { useEntries, useProjectsLeftOut } from './use-entries.ts';
import './search.css';

/** Everything that has a page of its own, by name: type, Up, Down, Enter. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [, go] = useLocation();
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const entries = useEntries(query);
  const leftOut = useProjectsLeftOut();
  const groups = useMemo(() => foundIn(entries, query), [entries, query]);
  const all = groups.flatMap((group) => group.entries.map((entry) => ({ entry, key: `${group.group} ${entry.id}` })));
  const current = all[Math.min(place, all.length - 1)];
  const open = (entry: Entry) => {
    onClose();
    if (entry.outside) window.open(entry.href, '_blank', 'noopener');
    else go(entry.href);
  };
  const openKey = (key: string) => {
    const found = all.find((one) => one.key === key);
    if (found !== undefined) open(found.entry);
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && current !== undefined) open(current.entry);
    else if (step !== undefined && all.length > 0) setPlace((now) => (now + step + all.length) % all.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      title={t('search.title')}
      onDismiss={onClose}
      foot={<DialogFoot keep={t('common.close')} onKeep={onClose} side={<Count query={query} count={all.length} />} />}
    >
      <div className="search-field">
        <ListSearch
          label={t('search.field')}
          placeholder={t('search.help')}
          list={`${id}list`}
          active={current === undefined ? undefined : `${id}${current.key}`}
          value={query}
          onKeyDown={keys}
          onChange={(text) => {
            setQuery(text);
            setPlace(0);
          }}
        />
      </div>
      <Combobox onOptionSubmit={openKey}>
        <Combobox.Options id={`${id}list`} aria-label={t('search.title')} className="search-list">
          {groups.map((group) => (
            <Found key={group.group} found={group} current={current?.key} id={id} />
          ))}
        </Combobox.Options>
      </Combobox>
      {all.length === 0 && <p className="t2">{t('search.none', { text: query.trim() })}</p>}
      {leftOut > 0 && <p className="t3">{t('search.leftOut', { count: leftOut })}</p>}
    </Dialog>
  );
}

function Count({ query, count }: { query: string; count: number }) {
  const { t } = useTranslation();
  return <output className="t2">{query.trim() !== '' && t('search.found', { count })}</output>;
}

interface FoundProps {
  found: FoundGroup;
  /** The key of the entry that Enter opens. */
  current: string | undefined;
  id: string;
}

function Found({ found: { group, entries, more }, current, id }: FoundProps) {
  const { t } = useTranslation();
  return (
    <Combobox.Group label={t(`search.group.${group}`)}>
      {entries.map((entry) => {
        const key = `${group} ${entry.id}`;
        return (
          <Combobox.Option
            key={key}
            value={key}
            id={`${id}${key}`}
            className="search-option"
            active={key === current}
            selected={key === current}
            aria-selected={key === current}
            ref={key === current ? intoView : undefined}
          >
            <span className="cut">{entry.label}</span>
            <small className="cut">{entry.note}</small>
          </Combobox.Option>
        );
      })}
      {more > 0 && <p className="t3">{t('search.more', { count: more })}</p>}
    </Combobox.Group>
  );
}

function intoView(entry: HTMLElement | null): void {
  entry?.scrollIntoView({ block: 'nearest' });
}
