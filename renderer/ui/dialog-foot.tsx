import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** Separate from the other buttons, such as a download. */
  side?: ReactNode;
  /** The safe button, which has the focus. */
  keep: string;
  onKeep: () => void;
  /** The buttons that act. */
  children?: ReactNode;
}

export function DialogFoot({ side, keep, onKeep, children }: Props) {
  return (
    <>
      {side}
      <span className="grow" />
      <Button data-autofocus onClick={onKeep}>
        {keep}
      </Button>
      {children}
    </>
  );
}
