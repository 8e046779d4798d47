import type { ReactNode } from 'react';
import { Shape } from './shape.tsx';

type NoteKind = 'plain' | 'error' | 'warning';

/** A boxed message. An error is announced to screen readers when it appears. */
export function Note({
  kind = 'plain',
  title,
  children,
  action,
}: {
  kind?: NoteKind;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={`note ${kind === 'error' ? 'alarm' : kind === 'warning' ? 'warning' : ''}`}
      role={kind === 'error' ? 'alert' : undefined}
    >
      {kind === 'error' && <Shape name="error" />}
      {kind === 'warning' && <Shape name="warning" />}
      <div className="grow">
        {title !== undefined && <b className="strong">{title}</b>}
        {children}
      </div>
      {action}
    </div>
  );
}
