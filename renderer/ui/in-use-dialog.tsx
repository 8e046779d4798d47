import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';

interface Props {
  title: string;
  /** Why it cannot be deleted. */
  text: string;
  keep: string;
  onClose: () => void;
  /** The users. */
  children: ReactNode;
}

/** Replaces the question whether to delete an object that running pipelines use. */
export function InUseDialog({ title, text, keep, onClose, children }: Props) {
  return (
    <Dialog title={title} onDismiss={onClose} foot={<DialogFoot keep={keep} onKeep={onClose} />}>
      <p>
        <b>{text}</b>
      </p>
      {children}
    </Dialog>
  );
}
