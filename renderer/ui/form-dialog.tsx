import { Button } from '@mantine/core';
import { useId, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorBesides } from '#api/field-fault.ts';
import { Dialog, type DialogCall } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { OthersSaveNote, type EditConflict } from './edit-conflict.tsx';

interface Props {
  title: string;
  /** A line above the title, such as the steps. */
  above?: ReactNode;
  /** Verb and object, such as "Create key". */
  act: string;
  /** Absent: the form is not sent. */
  call?: DialogCall;
  /** Fields that show their own errors. */
  shownFields?: readonly string[];
  /** The first sentence of the error note. */
  failed?: string | undefined;
  wide?: boolean;
  /** Its object was saved by another user meanwhile. */
  others?: EditConflict;
  /** More buttons, left of Cancel. */
  side?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is one form. */
export function FormDialog({
  title,
  above,
  act,
  call,
  shownFields = [],
  failed,
  wide,
  others,
  side,
  onSubmit,
  onClose,
  children,
}: Props) {
  const { t } = useTranslation();
  const id = useId();
  const pending = call?.isPending === true;
  const error = errorBesides(call?.error ?? null, shownFields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (others?.isOpen !== true) onSubmit();
  };
  return (
    <Dialog
      title={title}
      above={above}
      wide={wide === true}
      onDismiss={onClose}
      typed
      foot={
        <>
          {side}
          <span className="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={id} variant="filled" loading={pending} disabled={others?.isOpen === true}>
            {act}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="stack">
        {others && !pending && <OthersSaveNote others={others} />}
        {children}
        {error !== null && <ErrorNote error={error} {...(failed !== undefined && { title: failed })} />}
      </form>
    </Dialog>
  );
}
