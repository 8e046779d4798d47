import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDotSegment } from '#common/dot-segment.ts';
import { useSetVariable, useVariables, type Variable } from '#api/data-queries.ts';
import { fieldFault } from '#api/field-fault.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { useEditConflict, type EditConflict } from '#ui/edit-conflict.tsx';
import { ThingAccess } from '#ui/thing-access.tsx';
import { Fault } from './fault.tsx';
import { WrittenBy } from './written-by.tsx';
import { jsonValue } from './written-value.ts';

interface Props extends NoticeProps {
  project: string;
  /** Null: a new one. */
  variable: Variable | null;
  taken: readonly string[];
}

const ROWS = 10;
const textOf = ({ value }: Variable) => JSON.stringify(value, null, 2);

/** A variable with its name and its value as JSON; read-only for users who may not set it. */
export function VariableDialog(props: Props) {
  const mayEdit = usePermission('edit_pipelines');
  if (!mayEdit && props.variable !== null)
    return <ReadDialog project={props.project} variable={props.variable} onClose={props.onClose} />;
  return <EditDialog {...props} />;
}

interface ReadProps {
  project: string;
  variable: Variable;
  onClose: () => void;
}

function ReadDialog({ project, variable, onClose }: ReadProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      wide
      title={variable.name}
      onDismiss={onClose}
      foot={<DialogFoot keep={t('common.close')} onKeep={onClose} />}
    >
      <CodeEditor label={t('data.value')} language="json" value={textOf(variable)} rows={ROWS} />
      <Uses project={project} name={variable.name} />
    </Dialog>
  );
}

function Uses({ project, name }: { project: string; name: string }) {
  return (
    <>
      <WrittenBy project={project} kind="variable" thing={name} />
      <ThingAccess project={project} name={name} uses={['writeVariables', 'readVariables']} />
    </>
  );
}

function EditDialog({ project, variable, taken, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const set = useSetVariable(project);
  const [name, setName] = useState(variable?.name ?? '');
  const [text, setText] = useState(variable === null ? '' : textOf(variable));
  const [left, setLeft] = useState(false);
  const [asked, setAsked] = useState(false);
  const others = useOthersValue(project, variable, text, setText);
  const written = jsonValue(text);
  const isTaken = variable === null && taken.includes(name.trim());
  const isDots = variable === null && isDotSegment(name.trim());
  const nameFault = isTaken
    ? t('data.variables.taken')
    : isDots
      ? t('data.variables.nameDots')
      : asked && name.trim() === ''
        ? t('data.variables.nameMissing')
        : fieldFault(set.error, 'variable');
  const submit = () => {
    setAsked(true);
    setLeft(true);
    if (written.kind !== 'value' || isTaken || isDots || name.trim() === '') return;
    const done = () => {
      onNotice({ kind: 'done', text: t('data.variables.saved', { name: name.trim() }) });
      onClose();
    };
    set.mutate({ name: name.trim(), value: written.value }, { onSuccess: done });
  };
  return (
    <FormDialog
      wide
      others={others}
      title={
        variable === null ? t('data.variables.newTitle') : t('data.variables.changeTitle', { name: variable.name })
      }
      act={variable === null ? t('data.variables.create') : t('data.variables.save')}
      call={set}
      shownFields={['variable', 'value']}
      onSubmit={submit}
      onClose={onClose}
    >
      {variable === null && (
        <TextField
          first
          mono
          label={t('data.variables.name')}
          help={t('data.variables.nameHelp')}
          value={name}
          onChange={setName}
          fault={nameFault}
        />
      )}
      <div className="stack tight">
        <span className="mantine-InputWrapper-label" aria-hidden="true">
          {t('data.variables.value')}
        </span>
        <CodeEditor
          label={t('data.variables.value')}
          language="json"
          value={text}
          rows={ROWS}
          onChange={setText}
          onBlur={() => setLeft(true)}
        />
        {/* The field reports invalid JSON, but not an empty value. */}
        <Fault text={left && text.trim() === '' ? t('data.fault.json') : null} />
        <p className="mantine-InputWrapper-description">{t('data.variables.valueHelp')}</p>
      </div>
      {variable !== null && <Uses project={project} name={variable.name} />}
    </FormDialog>
  );
}

/**
 * Asks once: a pipeline may write the variable every second, and a user who keeps their own value wants to replace
 * that.
 */
function useOthersValue(
  project: string,
  variable: Variable | null,
  text: string,
  take: (text: string) => void,
): EditConflict {
  const written = jsonValue(text);
  const now = useVariables(project).data?.find(({ name }) => name === variable?.name) ?? variable;
  const [isKept, setKept] = useState(false);
  const saved = now && textOf(now);
  const others = useEditConflict({
    place: `variable ${project} ${variable?.name ?? ''}`,
    saved: isKept ? null : saved,
    mine: written.kind === 'value' ? JSON.stringify(written.value, null, 2) : text,
    take: () => take(saved ?? ''),
  });
  return { ...others, keepMine: () => setKept(true) };
}
