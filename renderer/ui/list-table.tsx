import type { ComponentProps, ReactNode } from 'react';
import { TableHead } from './table-head.tsx';

/** A table that scrolls sideways if it is too wide. `children`: its rows. */
export function ListTable({
  className,
  children,
  ...head
}: ComponentProps<typeof TableHead> & { className?: string; children: ReactNode }) {
  return (
    <div className="scroll">
      <table className={className}>
        <TableHead {...head} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
