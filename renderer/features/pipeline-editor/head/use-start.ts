import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartRevision } from '#api/pipeline-queries.ts';
import { showToast } from '#ui/toast.tsx';
import { useEditorContext } from '../editor-context.tsx';

/** How long the rollback button is shown on the page. */
const BACK_MS = 60_000;

/** Starts a revision; for a minute, a button can restore the previous one. */
export function useStart() {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const start = useStartRevision();
  const [backFault, setBackFault] = useState<Error | null>(null);
  const { project, id } = record;
  const announce = (revision: number, before: number | null) => {
    const text = t('editorDock.toast.started', { revision });
    if (before === null || before === revision) return showToast({ text });
    const label = t('editorDock.toast.back', { revision: before });
    return showToast({ text, action: { label, run: () => goBack(before) }, msShown: BACK_MS });
  };
  const goBack = (revision: number) => {
    setBackFault(null);
    start.mutateAsync({ project, id, revision }).then(
      () => announce(revision, null),
      (error: unknown) => setBackFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  const begin = (revision: number, onStarted: () => void) => {
    const before = record.runningRevision;
    setBackFault(null);
    start.mutate(
      { project, id, revision },
      {
        onSuccess: () => {
          onStarted();
          announce(revision, before);
        },
      },
    );
  };
  return { begin, start, backFault, clearBackFault: () => setBackFault(null) };
}
