import { Button, Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

interface Props {
  /** The question. */
  title: string;
  /** The checkbox that must be ticked first; absent: none. */
  tick?: string;
  /** The safe button; it has the focus. */
  keep: string;
  act: string;
  danger?: boolean;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The routes that stop and their callers, the alternative, a checkbox, then the action (theme.md). */
export function ConfirmDialog({
  title,
  tick,
  keep,
  act,
  danger = true,
  pending,
  error,
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
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {keep}
          </Button>
          <Button
            variant={danger ? 'danger' : 'filled'}
            disabled={tick !== undefined && !ticked}
            loading={pending}
            onClick={onConfirm}
          >
            {act}
          </Button>
        </>
      }
    >
      {children}
      {tick !== undefined && (
        <Checkbox checked={ticked} onChange={(event) => setTicked(event.currentTarget.checked)} label={tick} />
      )}
      {error !== null && error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  );
}
