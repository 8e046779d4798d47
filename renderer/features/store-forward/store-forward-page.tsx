import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEgress, type EgressView } from '#api/egress-queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { useNow } from '#ui/now.ts';
import { PageHead } from '#ui/page-head.tsx';
import { EmptyPanel } from '#ui/empty-panel.tsx';
import { Answer } from './answer.tsx';
import { EventsPanel } from './events-panel.tsx';
import { ExportButton, ImportButton } from './file-buttons.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { RehearsalPanel } from './rehearsal-panel.tsx';
import { byUrgency, mostUrgent } from './target-view.ts';
import { TargetTable } from './target-table.tsx';
import { UrgentPanel } from './urgent-panel.tsx';

/** Whether events wait, whether any are lost, and what users must do. */
export function StoreForwardPage() {
  const { t } = useTranslation();
  const egress = useEgress();
  const [notice, setNotice] = useState<Notice | null>(null);
  const dead = egress.data?.targets.reduce((sum, target) => sum + target.dead, 0) ?? 0;
  const mayEdit = usePermission('edit_pipelines');
  const mayRun = usePermission('run_pipelines');
  return (
    <>
      <PageHead
        title={t('egress.title')}
        answer={egress.data && <Answer view={egress.data} />}
        actions={
          mayEdit && (
            <>
              {mayRun && <ImportButton onNotice={setNotice} />}
              <ExportButton count={dead} />
            </>
          )
        }
      />
      <LoadingRows of={egress} />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {egress.data && <Body view={egress.data} onNotice={setNotice} />}
    </>
  );
}

function Body({ view, onNotice }: { view: EgressView; onNotice: (notice: Notice) => void }) {
  const now = useNow().getTime();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const { targets } = view;
  if (targets.length === 0) return <NoTargets />;
  const urgent = mostUrgent(targets, now);
  const rehearsed = targets.filter(
    ({ rehearsal }) => rehearsal !== null && !closed.includes(rehearsal.startedAt) && isFresh(rehearsal.doneAt, now),
  );
  return (
    <>
      {rehearsed.map((target) => (
        <RehearsalPanel
          key={target.id}
          target={target}
          onClose={(startedAt) => setClosed((before) => [...before, startedAt])}
        />
      ))}
      {urgent && <UrgentPanel target={urgent} view={view} onNotice={onNotice} />}
      <TargetTable targets={byUrgency(targets, now)} buffer={view.buffer} urgent={urgent?.id} onNotice={onNotice} />
      <EventsPanel targets={targets} onNotice={onNotice} />
    </>
  );
}

/** The proof of a rehearsal is shown for an hour, or until it is closed. */
const PROOF_MS = 3_600_000;

const isFresh = (doneAt: string | null, now: number) => doneAt === null || now - Date.parse(doneAt) < PROOF_MS;

function NoTargets() {
  const { t } = useTranslation();
  return (
    <EmptyPanel
      title={t('egress.emptyTitle')}
      help={t('egress.emptyHelp')}
      href="/pipelines"
      link={t('egress.emptyOpen')}
    />
  );
}
