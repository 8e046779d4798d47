import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONNECTION_KINDS, DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useConnections, useSaveConnection, useTestDraft, type ShownConnection } from '#api/connections-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { idFrom } from '#ui/id-from.ts';
import { Note } from '#ui/note.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { ThingAccess } from '#ui/thing-access.tsx';
import { draftOf, emptyDraft, isShown, lostSecrets, ofKind, sentOf, type ConnectionDraft } from './connection-draft.ts';
import { fieldsOf } from './connection-fields.ts';
import { ConnectionInput } from './connection-input.tsx';
import { TestAnswer } from './test-answer.tsx';

interface Props extends DoneProps {
  project: string;
  /** Null: a new one. */
  before: ShownConnection | null;
  taken: string[];
}

const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function ConnectionDialog({ project, before, taken, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveConnection(project);
  const test = useTestDraft(project);
  const [draft, setDraft] = useState(() => (before === null ? emptyDraft('postgresql') : draftOf(before)));
  const saved = useConnections(project).data?.find(({ id }) => id === before?.id) ?? before;
  const others = useEditConflict({
    place: `connection ${project} ${before?.id ?? ''}`,
    saved: saved && draftOf(saved),
    mine: draft,
    take: () => saved && setDraft(draftOf(saved)),
  });
  const [ownId, setOwnId] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const isNew = before === null;
  const id = isNew ? (ownId ?? idFrom(draft.name)) : before.id;
  const faults = headFaults(draft.name, id, isNew ? taken : []);
  const sent = () => sentOf({ ...draft, id }, before);
  const change = (next: ConnectionDraft) => {
    test.reset();
    setDraft(next);
  };
  const submit = () => {
    setAsked(true);
    if (faults.name || faults.id !== null) return;
    save.mutate(
      { connection: sent(), isNew },
      {
        onSuccess: (saved) => {
          const cleared = (saved.cleared ?? []).length > 0;
          const done = cleared || lostSecrets(draft, before).length > 0 ? 'savedCleared' : 'saved';
          onDone(t(`connections.${done}`, { name: draft.name.trim() || id }));
        },
      },
    );
  };
  const begin = () => {
    setAsked(true);
    // The message of an earlier save is unrelated to this test.
    save.reset();
    if (faults.id === null) test.mutate(sent());
  };
  const error = save.error ?? test.error;
  const paths = ['id', 'name', ...fieldsOf(draft.kind).map(({ name }) => `settings.${name}`)];
  return (
    <FormDialog
      wide
      others={others}
      title={isNew ? t('connections.form.createTitle') : t('connections.form.changeTitle', { name: before.name || id })}
      act={isNew ? t('connections.form.create') : t('connections.form.change')}
      failed={save.error === null ? t('connections.form.testFailed') : t('connections.form.failed')}
      call={{ isPending: save.isPending, error }}
      shownFields={paths}
      side={
        <Button data-asks loading={test.isPending} onClick={begin}>
          {t('connections.form.test')}
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="connection-grid">
        <TextField
          first
          label={t('connections.form.name')}
          help={t('connections.form.nameHelp')}
          fault={asked && faults.name ? t('connections.form.nameBad') : fieldFault(error, 'name')}
          value={draft.name}
          onChange={(name) => change({ ...draft, name })}
        />
        <TextField
          mono
          readOnly={!isNew}
          label={t('connections.form.id')}
          help={t('connections.form.idHelp')}
          fault={asked && faults.id !== null ? t(`connections.form.${faults.id}`, { id }) : fieldFault(error, 'id')}
          value={id}
          onChange={setOwnId}
        />
        <Kind draft={draft} isNew={isNew} onChange={change} />
        {fieldsOf(draft.kind)
          .filter((field) => isShown(field, draft))
          .map((field) => (
            <ConnectionInput key={field.name} {...{ field, draft, before, error }} onChange={change} />
          ))}
      </div>
      <Elsewhere draft={draft} before={before} />
      <TestAnswer
        target={`${draft.texts.host ?? ''}:${draft.texts.port ?? ''}`}
        pending={test.isPending}
        answer={test.data}
      />
      {!isNew && DATABASE_KINDS.some((kind) => kind === draft.kind) && (
        <ThingAccess project={project} name={id} uses={['runSql']} />
      )}
    </FormDialog>
  );
}

function headFaults(name: string, id: string, taken: string[]): { name: boolean; id: 'idBad' | 'idTaken' | null } {
  const length = name.trim().length;
  const idFault = ID.test(id) ? (taken.includes(id) ? 'idTaken' : null) : 'idBad';
  return { name: length === 0 || length > 64, id: idFault };
}

function Kind({
  draft,
  isNew,
  onChange,
}: {
  draft: ConnectionDraft;
  isNew: boolean;
  onChange: (draft: ConnectionDraft) => void;
}) {
  const { t } = useTranslation();
  const kind = t(`connections.kinds.${draft.kind}`);
  if (!isNew) return <p className="t2 whole">{t('connections.form.kindFixed', { kind })}</p>;
  return (
    <div className="whole">
      <ChoiceField
        label={t('connections.form.kind')}
        value={draft.kind}
        options={CONNECTION_KINDS.map((value) => ({ value, label: t(`connections.kinds.${value}`) }))}
        onChange={(value) => onChange(ofKind(draft, CONNECTION_KINDS.find((one) => one === value) ?? draft.kind))}
      />
    </div>
  );
}

/** The stored secret is for another server than the one in the form. */
function Elsewhere({ draft, before }: { draft: ConnectionDraft; before: ShownConnection | null }) {
  const { t } = useTranslation();
  const lost = lostSecrets(draft, before);
  if (before === null || lost.length === 0) return null;
  const { host, port } = before.settings;
  const secrets = lost.map((name) => t(`connections.form.secretNames.${name}`)).join(t('connections.form.and'));
  return (
    <Note kind="warning">
      <p>{t('connections.form.elsewhere', { secrets, target: `${host}:${port}` })}</p>
    </Note>
  );
}
