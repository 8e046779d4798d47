import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditRow } from '#common/model/audit.ts';
import type { FeedState, JournalFeed } from '#api/journal-feed.ts';
import { useJournalFeed, useJournalSummary, useVerify } from '#api/journal-queries.ts';
import type { JournalSummary } from '#api/journal-summary.ts';
import { usePermission } from '#api/session.ts';
import { dayAndTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Facets } from './facets.tsx';
import { Histogram } from './histogram.tsx';
import { JournalTable } from './journal-table.tsx';
import { LiveList, useLiveRefusals } from './live-list.tsx';
import { OneLineEach } from './one-line-each.ts';
import { RowPanel } from './row-panel.tsx';
import { SearchRow } from './search-row.tsx';
import { useJournalAddress, type JournalAddress } from './use-journal-address.ts';
import { SaveProof, VerifyAnswer, VerifyNote } from './verify-note.tsx';
import { WhyPanel } from './why-panel.tsx';
import './journal.css';

export function JournalPage() {
  const { t } = useTranslation();
  const allowed = usePermission('view_audit');
  if (!allowed) return <PageHead title={t('journal.title')} answer={t('journal.notAllowed')} />;
  return <Journal />;
}

const fold = () => new OneLineEach();

function Journal() {
  const { t } = useTranslation();
  const address = useJournalAddress();
  const { filter, show } = address;
  const verify = useVerify();
  const { feed, state } = useJournalFeed(filter, fold);
  // Audited actions and writes are not calls: a chart of calls would be meaningless for them.
  const countsCalls = show !== 'admin' && show !== 'written' && address.thing === '';
  const summary = useJournalSummary(filter, countsCalls);
  return (
    <>
      <PageHead
        title={t('journal.title')}
        answer={<VerifyAnswer verify={verify} />}
        actions={
          <>
            <Button leftSection={<Icon name="shield" />} loading={verify.isPending} onClick={() => verify.mutate()}>
              {t('journalPage.verify.button')}
            </Button>
            <SaveProof />
            <ExportMenu filter={filter} />
          </>
        }
      />
      <VerifyNote verify={verify} />
      <SearchRow address={address} />
      {countsCalls && <Histogram summary={summary.data} address={address} />}
      {(state.error ?? summary.error) !== null && <LoadError error={state.error ?? summary.error} />}
      <Sides address={address} feed={feed} state={state} summary={summary.data} />
    </>
  );
}

interface SidesProps {
  address: JournalAddress;
  feed: JournalFeed;
  state: FeedState;
  summary: JournalSummary | undefined;
}

/** The list, and beside it the details of the selected row, or the counts. */
function Sides({ address, feed, state, summary }: SidesProps) {
  const { why, change, show } = address;
  const [opened, setOpened] = useState<AuditRow | null>(null);
  const live = useLiveRefusals();
  const explain = (requestId: string) => change({ why: requestId });
  const open = (row: AuditRow) => {
    setOpened((before) => (before === row ? null : row));
    if (why !== '') change({ why: '' });
  };
  return (
    <div className="fill journal">
      {show === 'live' ? (
        <LiveList live={live} onWhy={explain} />
      ) : (
        <List {...{ address, feed, state, opened }} onWhy={explain} onOpen={open} />
      )}
      {why !== '' ? (
        <WhyPanel key={why} requestId={why} onClose={() => change({ why: '' })} />
      ) : opened !== null ? (
        <RowPanel row={opened} change={change} onClose={() => setOpened(null)} />
      ) : (
        <Facets summary={summary} address={address} />
      )}
    </div>
  );
}

interface ListProps extends Pick<SidesProps, 'address' | 'feed' | 'state'> {
  opened: AuditRow | null;
  onWhy: (requestId: string) => void;
  onOpen: (row: AuditRow) => void;
}

function List({ address, feed, state, opened, onWhy, onOpen }: ListProps) {
  const { filter, range, why } = address;
  return (
    <Panel className="journal-list">
      {state.rows.length > 0 ? (
        <JournalTable
          key={JSON.stringify(filter)}
          feed={feed}
          state={state}
          dated={range.name !== 'today' && range.name !== 'hour'}
          chosen={why}
          opened={opened}
          onWhy={onWhy}
          onOpen={onOpen}
        />
      ) : state.loading === 'first' ? (
        <Searching state={state} />
      ) : (
        state.error === null && <NoRows address={address} />
      )}
    </Panel>
  );
}

/** How far the search has advanced, if it takes longer than one query may. */
function Searching({ state }: { state: FeedState }) {
  const { t, i18n } = useTranslation();
  if (state.searchedTo === null) return null;
  const time = dayAndTime(new Date(state.searchedTo), i18n.language);
  return (
    <p className="journal-foot t2">
      <output>{t('journalPage.searchedTo', { time })}</output>
    </p>
  );
}

function NoRows({ address }: { address: JournalAddress }) {
  const { t } = useTranslation();
  const { find, keyId, route, address: from, outcome, thing, show, range, change } = address;
  const filtered = [find, keyId, route, from, outcome, thing].some((value) => value !== '') || show !== 'all';
  const help = filtered
    ? t('journal.emptyFiltered')
    : range.name === 'today'
      ? t('journalPage.emptyToday')
      : t('journal.emptyHelp');
  return (
    <Empty title={t('journal.empty')} help={help}>
      {range.name !== 'all' && (
        <Button onClick={() => change({ range: 'all', from: '', to: '', wide: '' })}>{t('journalPage.showAll')}</Button>
      )}
    </Empty>
  );
}
