import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useJournalFeed, useVerify } from '#api/journal-queries.ts';
import { useProjects } from '#api/queries.ts';
import { useValidKeys } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { JournalTable } from './journal-table.tsx';
import { LivePanel, useLiveRefusals } from './live-panel.tsx';
import { OneLineEach } from './one-line-each.ts';
import { SearchRow } from './search-row.tsx';
import { useJournalAddress, type JournalAddress } from './use-journal-address.ts';
import { ExportMenu } from './export-menu.tsx';
import { rememberVerification, VerifyAnswer, VerifyNote } from './verify-note.tsx';
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
  const { why, change, filter } = address;
  const verify = useVerify();
  const { feed, state } = useJournalFeed(filter, fold);
  const live = useLiveRefusals();
  const explain = (requestId: string) => change({ why: requestId });
  return (
    <>
      <PageHead
        title={t('journal.title')}
        answer={<VerifyAnswer verify={verify} />}
        actions={
          <>
            <Button
              leftSection={<Icon name="shield" />}
              loading={verify.isPending}
              onClick={() => verify.mutate(undefined, { onSuccess: rememberVerification })}
            >
              {t('journalPage.verify.button')}
            </Button>
            <ExportMenu filter={filter} />
          </>
        }
      />
      <VerifyNote verify={verify} />
      <SearchRow address={address} keys={useConsumers()} />
      {state.error !== null && <LoadError error={state.error} />}
      <div className="fill journal">
        <Panel className="journal-list">
          {state.rows.length > 0 ? (
            <JournalTable
              key={JSON.stringify(filter)}
              feed={feed}
              state={state}
              dated={address.range.name !== 'today'}
              chosen={why}
              onWhy={explain}
            />
          ) : (
            state.loading !== 'first' && state.error === null && <NoRows address={address} />
          )}
        </Panel>
        {why === '' ? (
          <LivePanel live={live} onWhy={explain} />
        ) : (
          <WhyPanel key={why} requestId={why} onClose={() => change({ why: '' })} />
        )}
      </div>
    </>
  );
}

/** Keys by name, for users who may see them. */
function useConsumers() {
  const allowed = usePermission('manage_keys');
  const projects = useProjects().data ?? [];
  return useValidKeys(
    projects.map(({ id }) => id),
    allowed,
  );
}

function NoRows({ address }: { address: JournalAddress }) {
  const { t } = useTranslation();
  const { find, keyId, show, range, change } = address;
  const filtered = find !== '' || keyId !== '' || show !== 'all';
  const help = filtered
    ? t('journal.emptyFiltered')
    : range.name === 'today'
      ? t('journalPage.emptyToday')
      : t('journal.emptyHelp');
  return (
    <Empty title={t('journal.empty')} help={help}>
      {range.name !== 'all' && (
        <Button onClick={() => change({ range: 'all', from: '', to: '' })}>{t('journalPage.showAll')}</Button>
      )}
    </Empty>
  );
}
