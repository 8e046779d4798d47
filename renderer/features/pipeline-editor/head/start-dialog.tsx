import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRevisions, useStartCheck } from '#api/pipeline-queries.ts';
import { usePermission } from '#api/session.ts';
import { loosenings } from '#common/model/widening.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { CallerTable } from '#ui/stop-dialog.tsx';
import { SentenceList } from '../dock/sentence-list.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { FindingNote } from './finding-note.tsx';
import { LooseningNote } from './loosening-note.tsx';
import type { useStart } from './use-start.ts';

interface Props {
  starting: ReturnType<typeof useStart>;
  onClose: () => void;
}

/** The effects of the start, the affected callers, and reasons for refusal. The draft is saved first. */
export function StartDialog({ starting, onClose }: Props) {
  const { t } = useTranslation();
  const { record, running, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const revision = useSavedRevision();
  const check = useStartCheck({ ...record, revision });
  const opened = useLoosenings();
  const maySettings = usePermission('access_settings');
  const { start, begin } = starting;
  const errors = check.data?.errors ?? [];
  const warnings = check.data?.warnings ?? [];
  const refused = errors.length > 0 || (opened.length > 0 && !maySettings);
  const number = { revision: revision ?? record.revision };
  return (
    <Dialog
      title={mayEdit ? t('editorDock.startDialog.title', number) : t('editorDock.startDialog.titleRevision', number)}
      onDismiss={onClose}
      wide
      foot={
        <DialogFoot keep={t('editorDock.startDialog.cancel')} onKeep={onClose}>
          {' '}
          <Button
            variant="filled"
            disabled={revision === null || check.data === undefined || refused}
            loading={start.isPending}
            onClick={() => revision !== null && begin(revision, onClose)}
          >
            {mayEdit ? t('editorDock.start', number) : t('editorDock.startRevision', number)}
          </Button>
        </DialogFoot>
      }
    >
      <SaveState isSaved={revision !== null} />
      {check.isLoading && <p className="t2">{t('editorDock.startDialog.checking')}</p>}
      <FindingNote kind="error" title={t('editorDock.startDialog.errors')} findings={errors} onClose={onClose} />
      <LooseningNote opened={opened} may={maySettings} />
      <section className="stack tight">
        <h3>{t('editorDock.startDialog.changes')}</h3>
        <SentenceList before={running} after={draft} none={t('editorDock.startDialog.none')} />
        {record.runningRevision !== null && (
          <p className="t3">{t('editorDock.startDialog.swap', { revision: record.runningRevision })}</p>
        )}
      </section>
      {running !== null && (
        <CallerTable title={t('editorDock.startDialog.callers')} pipeline={{ ...running, project: record.project }} />
      )}
      <FindingNote kind="warning" title={t('editorDock.startDialog.warnings')} findings={warnings} onClose={onClose} />
      {check.isError && (
        <>
          <ErrorNote error={check.error} />
          <Button onClick={() => void check.refetch()}>{t('common.again')}</Button>
        </>
      )}
      {start.isError && <ErrorNote error={start.error} title={t('editorDock.strip.notStarted')} />}
    </Dialog>
  );
}

/** Null until the draft is saved. Users who may not edit start the last saved revision. */
function useSavedRevision(): number | null {
  const { record, saving, saveNow, mayEdit } = useEditorContext();
  useEffect(() => {
    // A refusal is shown by the saving state itself.
    if (mayEdit) saveNow({ passing: true }).catch(() => undefined);
  }, [saveNow, mayEdit]);
  if (!mayEdit) return record.revision;
  return saving.kind === 'saved' ? saving.revision : null;
}

function SaveState({ isSaved }: { isSaved: boolean }) {
  const { t } = useTranslation();
  const { saving } = useEditorContext();
  if (isSaved) return null;
  if (saving.kind === 'saving' || saving.kind === 'unsaved' || saving.kind === 'saved')
    return <p className="t2">{t('editorDock.startDialog.saving')}</p>;
  if (saving.kind === 'refused') return <ErrorNote error={saving.error} title={t('editorDock.startDialog.notSaved')} />;
  return (
    <Note kind="error" title={t('editorDock.startDialog.notSaved')}>
      <p className="t2">{t(`editorDock.${saving.kind}`)}</p>
    </Note>
  );
}

/** The privilege widenings; the server checks them again. */
function useLoosenings() {
  const { record } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const revisions = useRevisions(record.project, record.id).data;
  if (revisions === undefined) return [];
  const approved = revisions.find(({ revision }) => revision === record.approvedRevision);
  return loosenings(draft, approved?.definition ?? null);
}
