import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focus-return.ts';

/** The request that a dialog sends, such as a mutation. */
export interface DialogCall {
  readonly isPending: boolean;
  /** The error of the last attempt. */
  readonly error: unknown;
}

interface DialogProps {
  title: string;
  /** A line above the title, such as the steps. */
  above?: ReactNode;
  /** Absent: neither Escape nor a click outside closes it; only its own buttons do. */
  onDismiss?: () => void;
  /** It contains input: an accidental click outside does not discard it. */
  typed?: boolean;
  foot: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A dialog with the question as its title. The focus stays inside, and returns to its previous place; `data-autofocus`
 * marks the initial focus.
 */
export function Dialog({ title, above, onDismiss, typed, foot, wide, children }: DialogProps) {
  useFocusReturn();
  const closable = onDismiss !== undefined;
  return (
    <Modal.Root
      opened
      onClose={onDismiss ?? (() => undefined)}
      closeOnEscape={closable}
      closeOnClickOutside={closable && typed !== true}
      size={wide ? 760 : 640}
      centered
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        <div className="dialog-head">
          <div className="grow">
            {above}
            {/* Mantine names the dialog by this part; a heading of our own would leave it without a name. */}
            <Modal.Title>{title}</Modal.Title>
          </div>
        </div>
        <div className="dialog-body">{children}</div>
        <div className="dialog-foot">{foot}</div>
      </Modal.Content>
    </Modal.Root>
  );
}
