import { Button } from '@mantine/core';
import { useId, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { OthersSaveNote, type EditConflict } from './edit-conflict.tsx';

interface Props {
  title: string;
  /** Verb and object. */
  act: string;
  pending: boolean;
  /** Of the last try, unless a field shows it. */
  error: unknown;
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
  act,
  pending,
  error,
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (others?.isOpen !== true) onSubmit();
  };
  return (
    <Dialog
      title={title}
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
        {error !== null && error !== undefined && (
          <ErrorNote error={error} {...(failed !== undefined && { title: failed })} />
        )}
      </form>
    </Dialog>
  );
}
