import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { useJournal, type JournalFilter } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { Segments } from '#ui/segments.tsx';
import { JournalTable } from './journal-table.tsx';
import { oneLinePerAct } from './one-line-per-act.ts';
import { filterOf } from './search-text.ts';
import { WhyPanel } from './why-panel.tsx';

const SHOWN = ['all', 'refusal', 'outcome', 'admin'] as const;
type Shown = (typeof SHOWN)[number];

const isShown = (value: string | null): value is Shown => SHOWN.some((one) => one === value);

/** What is on show stands in the address, so that it can be sent to somebody: `?find=…&show=…&keyId=…&why=…`. */
function useJournalAddress() {
  const [search, setSearch] = useSearchParams();
  const read = (name: string) => search.get(name) ?? '';
  const show = search.get('show');
  const change = (patch: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(patch)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return {
    find: read('find'),
    keyId: read('keyId'),
    why: read('why'),
    show: isShown(show) ? show : ('all' as const),
    change,
  };
}

export function JournalPage() {
  const { t } = useTranslation();
  const allowed = usePermission('view_audit');
  if (!allowed) return <PageHead title={t('journal.title')} answer={t('journal.notAllowed')} />;
  return <Journal />;
}

function Journal() {
  const { t } = useTranslation();
  const address = useJournalAddress();
  const { find, keyId, why, show, change } = address;
  const filter: JournalFilter = {
    ...filterOf(find),
    ...(keyId !== '' && { keyId }),
    ...(show !== 'all' && { type: show }),
  };
  const journal = useJournal(filter);
  const rows = journal.data && oneLinePerAct(journal.data.pages.flatMap((page) => page.items));
  return (
    <>
      <PageHead title={t('journal.title')} answer={t('journal.answer')} />
      <SearchRow key={find} find={find} keyId={keyId} show={show} onChange={change} />
      {journal.isError && <ErrorNote error={journal.error} />}
      <div className={why === '' ? 'fill journal' : 'fill journal open'}>
        <Panel className="journal-list">
          {rows?.length === 0 && <NoRows filtered={Object.keys(filter).length > 0} />}
          {rows && rows.length > 0 && (
            <JournalTable
              rows={rows}
              chosen={why}
              onWhy={(row) => change({ why: row.requestId ?? '' })}
              foot={<Older journal={journal} />}
            />
          )}
        </Panel>
        {why !== '' && <WhyPanel key={why} requestId={why} onClose={() => change({ why: '' })} />}
      </div>
    </>
  );
}

function NoRows({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation();
  return <Empty title={t('journal.empty')} help={filtered ? t('journal.emptyFiltered') : t('journal.emptyHelp')} />;
}

function Older({ journal }: { journal: ReturnType<typeof useJournal> }) {
  const { t } = useTranslation();
  if (!journal.hasNextPage) return <span className="t3">{t('journal.end')}</span>;
  return (
    <Button loading={journal.isFetchingNextPage} onClick={() => void journal.fetchNextPage()}>
      {t('journal.older')}
    </Button>
  );
}

interface SearchProps {
  find: string;
  keyId: string;
  show: Shown;
  onChange: (patch: Record<string, string>) => void;
}

function SearchRow({ find, keyId, show, onChange }: SearchProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(find);
  const search = (event: FormEvent) => {
    event.preventDefault();
    // A request id is asked about one call: its explanation opens with it.
    onChange({ find: text.trim(), why: filterOf(text).requestId ?? '' });
  };
  const clear = () => {
    setText('');
    onChange({ find: '', keyId: '', why: '' });
  };
  const shownNames = {
    all: t('journal.all'),
    refusal: t('journal.refused'),
    outcome: t('journal.uses'),
    admin: t('journal.acts'),
  };
  return (
    <search>
      <form className="row wrap" onSubmit={search}>
        <TextInput
          className="grow"
          aria-label={t('journal.search')}
          placeholder={t('journal.search')}
          title={t('journal.searchHelp')}
          leftSection={<Icon name="search" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{t('journal.searchSubmit')}</Button>
        {(find !== '' || keyId !== '') && (
          <Button variant="subtle" onClick={clear}>
            {t('journal.clear')}
          </Button>
        )}
        <Segments
          label={t('journal.show')}
          value={show}
          onChange={(value: Shown) => onChange({ show: value === 'all' ? '' : value })}
          options={SHOWN.map((value) => ({ value, label: shownNames[value] }))}
        />
      </form>
    </search>
  );
}
