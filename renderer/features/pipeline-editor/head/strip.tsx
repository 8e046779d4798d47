import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { definitionOf } from '#api/pipeline-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { CloseButton } from '#ui/icon-button.tsx';
import { Note } from '#ui/note.tsx';
import { nodeFieldName, useFieldNames } from '../dock/use-field-names.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';

/** The reason why the draft is not saved, and the available actions. */
export function SavingStrip({ onCompare }: { onCompare: () => void }) {
  const { t } = useTranslation();
  const { saving, saveNow } = useEditorContext();
  // Another refusal is shown here.
  const again = () => void saveNow({ passing: true }).catch(() => undefined);
  if (saving.kind === 'conflict') return <Conflict onCompare={onCompare} />;
  if (saving.kind === 'away') return <Note kind="warning">{t('editorDock.strip.away')}</Note>;
  if (saving.kind === 'refused')
    return (
      <div className="row fault">
        <div className="grow">
          <NotSaved error={saving.error} />
        </div>
        <Button onClick={again}>{t('common.again')}</Button>
      </div>
    );
  return null;
}

function NotSaved({ error }: { error: Error }) {
  const { t } = useTranslation();
  const draft = useEditor((state) => state.draft);
  const names = useFieldNames();
  return (
    <ErrorNote
      error={error}
      title={t('editorDock.strip.refused')}
      fieldName={(path) => nodeFieldName(draft, path, names)}
    />
  );
}

/** Nothing is overwritten without a confirmation. */
function Conflict({ onCompare }: { onCompare: () => void }) {
  const { t } = useTranslation();
  const { record, saveNow, take } = useEditorContext();
  const { revision, updatedBy } = record;
  // A refusal is shown by the saving state itself.
  const keepMine = () => void saveNow({ overNewer: true }).catch(() => undefined);
  return (
    <Note kind="warning" title={t('editorDock.strip.conflict', { name: updatedBy, revision })}>
      <p className="t2">{t('editorDock.strip.conflictBy')}</p>
      <div className="row wrap">
        <Button onClick={onCompare}>{t('editorDock.strip.compare')}</Button>
        <Button onClick={keepMine}>{t('editorDock.strip.mine')}</Button>
        <Button onClick={() => take(revision, definitionOf(record))}>{t('editorDock.strip.theirs')}</Button>
      </div>
    </Note>
  );
}

/** A start, a rollback or a stop that was refused. */
export function FaultStrip({ title, error, onClose }: { title: string; error: Error; onClose: () => void }) {
  return (
    <div className="row fault">
      <div className="grow">
        <ErrorNote error={error} title={title} />
      </div>
      <CloseButton onClick={onClose} />
    </div>
  );
}
