import { Button, Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Dialog, type DialogCall } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';
import { ErrorNote } from './error-note.tsx';

interface Props {
  /** The question. */
  title: string;
  /** The checkbox that must be checked first; absent: none. */
  tick?: string;
  /** The safe button, which has the focus. */
  keep: string;
  act: string;
  danger?: boolean;
  /** Absent: the action sends no request. */
  call?: DialogCall;
  errorTitle?: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The routes that stop working and their callers, the alternative, a checkbox, then the action (theme.md). */
export function ConfirmDialog({
  title,
  tick,
  keep,
  act,
  danger = true,
  call,
  errorTitle,
  onConfirm,
  onClose,
  children,
}: Props) {
  const [ticked, setTicked] = useState(false);
  return (
    <Dialog
      title={title}
      onDismiss={onClose}
      foot={
        <DialogFoot keep={keep} onKeep={onClose}>
          {' '}
          <Button
            variant={danger ? 'danger' : 'filled'}
            disabled={tick !== undefined && !ticked}
            loading={call?.isPending === true}
            onClick={onConfirm}
          >
            {act}
          </Button>
        </DialogFoot>
      }
    >
      {children}
      {tick !== undefined && (
        <Checkbox checked={ticked} onChange={(event) => setTicked(event.currentTarget.checked)} label={tick} />
      )}
      {call && call.error !== null && (
        <ErrorNote error={call.error} {...(errorTitle !== undefined && { title: errorTitle })} />
      )}
    </Dialog>
  );
}
