import { Button } from '@mantine/core';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteDefinition, useSaveDefinition, type Definitions, type Family } from '#api/definition-queries.ts';
import { errorBesides } from '#api/field-fault.ts';
import { usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { OthersSaveNote, type EditConflict } from '#ui/edit-conflict.tsx';
import { Panel } from '#ui/panel.tsx';
import { ThingAccess } from '#ui/thing-access.tsx';
import { DraftNote } from './draft-note.tsx';
import { EditorHead } from './editor-head.tsx';
import { UserList } from './user-list.tsx';
import { usersOf } from './users.ts';

const USES = { queries: ['runQueries'], scripts: ['runScripts'] } as const;

/** The properties of an editor that its page provides. */
export interface EditorProps<One> {
  project: string;
  /** As saved; null: a new one. */
  before: One | null;
  onNotice: (notice: Notice) => void;
  onSaved: (id: string) => void;
  onClose: () => void;
}

interface Props<F extends Family> extends EditorProps<Definitions[F]> {
  family: F;
  /** The content of the form. */
  draft: Definitions[F];
  /** There are unsaved changes. */
  changed: boolean;
  /** Paths of the fields that show their own errors. */
  shownFields: readonly string[];
  others: EditConflict;
  renderFields: (error: unknown) => ReactNode;
  /** The test run. */
  children: ReactNode;
}

/** The common parts of the editors of a named query and of a library script: save, delete, and their position. */
export function DefinitionEditor<F extends Family>({
  project,
  family,
  before,
  draft,
  changed,
  shownFields,
  others,
  renderFields,
  onNotice,
  onSaved,
  onClose,
  children,
}: Props<F>) {
  const { t } = useTranslation();
  const texts: Family = family;
  const mayEdit = usePermission('edit_pipelines');
  const save = useSaveDefinition(project, family);
  const [deleting, setDeleting] = useState(false);
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (others.isOpen) return;
    save.mutate(
      { definition: draft, isNew: before === null },
      {
        onSuccess: ({ id, draft: waiting }) => {
          onNotice({ kind: 'done', text: waiting ? t('data.draft.saved', { id }) : t(`${texts}.saved`, { id }) });
          onSaved(id);
        },
      },
    );
  };
  const besides = errorBesides(save.error, shownFields);
  return (
    <>
      <EditorHead
        title={before === null ? t(`${texts}.newTitle`) : before.id}
        back={t(`${texts}.back`)}
        isNew={before === null}
        changed={changed}
        blocked={others.isOpen}
        saveLabel={t(`${texts}.save`)}
        saving={save.isPending}
        form={form}
        onBack={onClose}
        side={
          before !== null && (
            <Button variant="subtle" onClick={() => setDeleting(true)}>
              {t(`${texts}.delete`)}
            </Button>
          )
        }
      />
      <OthersSaveNote others={others} />
      {before?.draft && (
        <DraftNote
          project={project}
          family={family}
          id={before.id}
          draft={before.draft}
          changed={changed}
          onActivated={() => onNotice({ kind: 'done', text: t('data.draft.activated', { id: before.id }) })}
        />
      )}
      {besides !== null && besides !== undefined && <ErrorNote error={besides} title={t(`${texts}.notSaved`)} />}
      <div className="data-editor">
        <Panel>
          <form id={form} onSubmit={submit} noValidate className="body stack">
            {renderFields(save.error)}
            {before !== null && <ThingAccess project={project} name={before.id} uses={USES[family]} />}
          </form>
        </Panel>
        {mayEdit && children}
      </div>
      {deleting && before !== null && (
        <DeleteDialog
          project={project}
          family={family}
          id={before.id}
          onDeleted={() => {
            onNotice({ kind: 'done', text: t(`${texts}.deleted`, { id: before.id }) });
            onClose();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

interface DeleteProps {
  project: string;
  family: Family;
  id: string;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ project, family, id, onDeleted, onClose }: DeleteProps) {
  const { t } = useTranslation();
  const remove = useDeleteDefinition(project, family);
  const users = usersOf(usePipelines().data ?? [], project, family === 'queries' ? 'query' : 'script', id);
  return (
    <ConfirmDialog
      title={t(`${family}.deleteTitle`, { id })}
      keep={t(`${family}.keep`)}
      act={t(`${family}.delete`)}
      call={remove}
      onConfirm={() => remove.mutate(id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <p>{t(`${family}.deleteWhat`)}</p>
      <UserList project={project} users={users} none={t('data.users.noneNamed')} />
    </ConfirmDialog>
  );
}
