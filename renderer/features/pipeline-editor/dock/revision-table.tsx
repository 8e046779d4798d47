import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { definitionOf, useRestoreRevision, useRevisions } from '#api/pipeline-queries.ts';
import type { RevisionRecord } from '#common/model/records.ts';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import { showToast } from '#ui/toast.tsx';
import { useEditorContext } from '../editor-context.tsx';
import { CompareDialog } from './compare-dialog.tsx';

/** All stored revisions: which one is running, which was approved, and a button to restore each. */
export function RevisionTable() {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const revisions = useRevisions(record.project, record.id);
  const [compared, setCompared] = useState<number | null>(null);
  const [restored, setRestored] = useState<number | null>(null);
  return (
    <>
      {revisions.isError && <LoadError error={revisions.error} />}
      <table className="read" aria-label={t('editorDock.history.revisions')}>
        <TableHead
          columns={[
            t('editorDock.history.number'),
            t('editorDock.history.when'),
            t('editorDock.history.by'),
            t('editorDock.history.marks'),
          ]}
          actions={t('editorDock.history.actions')}
        />
        <tbody>
          {(revisions.data ?? []).map((revision) => (
            <Row
              key={revision.revision}
              revision={revision}
              onCompare={() => setCompared(revision.revision)}
              onRestore={() => setRestored(revision.revision)}
            />
          ))}
        </tbody>
      </table>
      {compared !== null && <CompareDialog from={compared} to="draft" onClose={() => setCompared(null)} />}
      {restored !== null && <RestoreDialog revision={restored} onClose={() => setRestored(null)} />}
    </>
  );
}

function Row({
  revision: { revision, savedAt, savedBy },
  onCompare,
  onRestore,
}: {
  revision: RevisionRecord;
  onCompare: () => void;
  onRestore: () => void;
}) {
  const { t } = useTranslation();
  const { record, mayEdit } = useEditorContext();
  return (
    <tr>
      <td>{revision}</td>
      <td>
        <Ago iso={savedAt} />
      </td>
      <td>{savedBy}</td>
      <td>
        <span className="row wrap">
          {revision === record.runningRevision && <Chip shape="running">{t('editorDock.history.runs')}</Chip>}
          {revision === record.approvedRevision && <Chip shape="passed">{t('editorDock.history.approved')}</Chip>}
          {revision === record.revision && <span className="t2">{t('editorDock.history.newest')}</span>}
        </span>
      </td>
      <td>
        <span className="row wrap run-controls">
          <Button variant="subtle" aria-label={t('editorDock.history.compareNamed', { revision })} onClick={onCompare}>
            {t('editorDock.history.compare')}
          </Button>
          {mayEdit && revision !== record.revision && (
            <Button
              variant="subtle"
              aria-label={t('editorDock.history.restoreNamed', { revision })}
              onClick={onRestore}
            >
              {t('editorDock.history.restore')}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

/** The current draft is first saved as a separate revision, so that nothing is lost. */
function RestoreDialog({ revision, onClose }: { revision: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { record, saveNow, take } = useEditorContext();
  const restore = useRestoreRevision();
  const [fault, setFault] = useState<Error | null>(null);
  const [pending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    setFault(null);
    try {
      const over = await saveNow();
      const made = await restore.mutateAsync({ project: record.project, id: record.id, revision, over });
      take(made.revision, definitionOf(made));
      onClose();
      showToast({ text: t('editorDock.toast.restored', { from: revision, revision: made.revision }) });
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
    }
    setPending(false);
  };
  return (
    <ConfirmDialog
      title={t('editorDock.history.restoreTitle', { revision })}
      keep={t('editorDock.history.restoreKeep')}
      act={t('editorDock.history.restoreAct', { revision })}
      danger={false}
      call={{ isPending: pending, error: fault }}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{t('editorDock.history.restoreText')}</p>
    </ConfirmDialog>
  );
}
