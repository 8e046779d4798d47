import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRevisions } from '#api/pipeline-queries.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { Draft } from '../model/draft.ts';
import { SentenceList } from './sentence-list.tsx';
import { changedNodes } from './change-summary.ts';
import { SideBySide } from './side-by-side.tsx';

/** A revision by its number, or one that is determined when the dialog opens. */
export type Side = number | 'running' | 'newest' | 'draft';

/** Any two revisions, or the draft: as sentences, then the changed nodes side by side. */
export function CompareDialog({ from, to, onClose }: { from: Side; to: Side; onClose: () => void }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const stored = useRevisions(record.project, record.id);
  const revisions = stored.data ?? [];
  const [left, setLeft] = useState(() => valueOf(from, record));
  const [right, setRight] = useState(() => valueOf(to, record));
  const find = (value: string): Draft | null =>
    value === DRAFT ? draft : (revisions.find(({ revision }) => String(revision) === value)?.definition ?? null);
  const [before, after] = [find(left), find(right)];
  const options = [
    { value: DRAFT, label: t('editorDock.comparing.draft') },
    ...revisions.map(({ revision }) => ({
      value: String(revision),
      label:
        revision === record.runningRevision
          ? t('editorDock.comparing.revisionRuns', { revision })
          : t('editorDock.comparing.revision', { revision }),
    })),
  ];
  return (
    <Dialog
      title={t('editorDock.comparing.title')}
      onDismiss={onClose}
      wide
      foot={<DialogFoot keep={t('common.close')} onKeep={onClose} />}
    >
      <div className="row wrap">
        <span className="t2">{t('editorDock.comparing.from')}</span>
        <NativeSelect label={t('editorDock.comparing.from')} value={left} options={options} onChange={setLeft} />
        <span className="t2">{t('editorDock.comparing.to')}</span>
        <NativeSelect label={t('editorDock.comparing.to')} value={right} options={options} onChange={setRight} />
      </div>
      {stored.error && <ErrorNote error={stored.error} />}
      <LoadingRows of={stored} />
      {before !== null && after !== null && <Compared before={before} after={after} />}
      {stored.data !== undefined && (before === null || after === null) && (
        <p className="t2">{t('editorDock.comparing.lost')}</p>
      )}
    </Dialog>
  );
}

const DRAFT = 'draft';

function valueOf(side: Side, { revision, runningRevision }: PipelineRecord): string {
  if (side === 'draft') return DRAFT;
  if (side === 'running') return String(runningRevision ?? revision);
  return String(side === 'newest' ? revision : side);
}

function Compared({ before, after }: { before: Draft; after: Draft }) {
  const { t } = useTranslation();
  const pairs = changedNodes(before, after);
  return (
    <>
      <SentenceList before={before} after={after} none={t('editorDock.comparing.same')} />
      {pairs.length > 0 && <h3>{t('editorDock.comparing.nodes')}</h3>}
      {pairs.map((pair) => (
        <SideBySide
          key={`${pair.id} ${pair.before === null}`}
          title={pair.name}
          before={pair.before === null ? undefined : shown(pair.before)}
          after={pair.after === null ? undefined : shown(pair.after)}
        />
      ))}
    </>
  );
}

/** The position on the canvas has no effect. */
function shown({ id, kind, name, off, settings }: Draft['nodes'][number]) {
  return { id, kind, name, off, settings };
}
