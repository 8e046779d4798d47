import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressEvent, EgressPayload } from '#common/model/egress.ts';
import { useEditEvent, useEgressEvent, useEventAct } from '#api/egress-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { Loading } from '#ui/loading.tsx';
import { Note } from '#ui/note.tsx';
import { editOf, fieldsOf, isPath, type EditFields } from './edit-of.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { targetName } from './target-view.ts';

interface Props extends NoticeProps {
  event: EgressEvent;
}

/** Path, content type and body of a dead letter. */
export function EditDialog({ event, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const detail = useEgressEvent(event.id);
  const title = t('egress.editing.title', { name: targetName(event.origin).name });
  const payload = detail.data?.payload;
  if (payload) return <EditForm {...{ event, payload, title, onNotice, onClose }} />;
  return (
    <Dialog
      wide
      title={title}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <Loading of={detail} />
      {detail.isError && <ErrorNote error={detail.error} />}
      {payload === null && <Note>{t('egress.event.notAllowed')}</Note>}
    </Dialog>
  );
}

function EditForm({ event, payload, title, onNotice, onClose }: Props & { payload: EgressPayload; title: string }) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(() => fieldsOf(payload));
  const { save, saveAndRetry, pending, error } = useSave(event, onNotice, onClose);
  const edit = editOf(payload, fields);
  const blocked = edit === null || !isPath(fields.path) || pending;
  return (
    <Dialog
      wide
      title={title}
      onDismiss={onClose}
      typed
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button disabled={blocked} onClick={() => edit && void save(edit)}>
            {t('egress.editing.save')}
          </Button>
          <Button variant="filled" disabled={blocked} onClick={() => edit && void saveAndRetry(edit)}>
            {t('egress.editing.saveRetry')}
          </Button>
        </>
      }
    >
      <p>{t('egress.editing.lead')}</p>
      <Fields event={event} payload={payload} fields={fields} onChange={setFields} />
      {error && <ErrorNote error={error} title={t('egress.failed.edit')} />}
    </Dialog>
  );
}

function useSave(event: EgressEvent, onNotice: (notice: Notice) => void, onClose: () => void) {
  const { t } = useTranslation();
  const change = useEditEvent();
  const act = useEventAct();
  type Edit = Parameters<typeof change.mutateAsync>[0]['edit'];
  /** False: the dialog stays open and shows the reason. */
  const stored = (edit: Edit) =>
    change.mutateAsync({ id: event.id, edit }).then(
      () => true,
      () => false,
    );
  const save = async (edit: Edit) => {
    if (!(await stored(edit))) return;
    onNotice({ kind: 'done', text: t('egress.notice.edited') });
    onClose();
  };
  const saveAndRetry = async (edit: Edit) => {
    if (!(await stored(edit))) return;
    try {
      await act.mutateAsync({ id: event.id, act: 'retry' });
      onNotice({ kind: 'done', text: t('egress.notice.retriedEvent') });
    } catch (error) {
      if (error instanceof Error) onNotice({ kind: 'failed', text: t('egress.failed.retry'), error });
    }
    onClose();
  };
  return { save, saveAndRetry, pending: change.isPending || act.isPending, error: change.error };
}

interface FieldsProps {
  event: EgressEvent;
  payload: EgressPayload;
  fields: EditFields;
  onChange: (fields: EditFields) => void;
}

const BODY_ROWS = 10;
const ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

function Fields({ event, payload, fields, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(false);
  const isText = payload.base64 === null;
  return (
    <>
      <TextInput
        data-autofocus
        className="mono-field"
        label={t('egress.editing.path')}
        description={t('egress.editing.pathHelp', { target: event.origin })}
        inputWrapperOrder={ORDER}
        value={fields.path}
        onChange={({ currentTarget }) => onChange({ ...fields, path: currentTarget.value })}
        onBlur={() => setLeft(true)}
        error={left && !isPath(fields.path) && <FieldFault text={t('egress.editing.pathBad')} />}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        className="mono-field"
        label={t('egress.editing.contentType')}
        description={t('egress.editing.contentTypeHelp')}
        inputWrapperOrder={ORDER}
        value={fields.contentType}
        onChange={({ currentTarget }) => onChange({ ...fields, contentType: currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
      />
      <Textarea
        className="mono-field"
        label={t('egress.editing.body')}
        description={isText ? undefined : t('egress.editing.bodyBytes')}
        inputWrapperOrder={ORDER}
        value={isText ? fields.text : (payload.base64 ?? '')}
        readOnly={!isText}
        onChange={({ currentTarget }) => onChange({ ...fields, text: currentTarget.value })}
        rows={BODY_ROWS}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  );
}
