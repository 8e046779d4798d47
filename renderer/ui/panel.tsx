import type { ReactNode } from 'react';

export function Panel({
  title,
  side,
  children,
  className = '',
  id,
}: {
  /** For a panel that a table of contents links to. */
  id?: string;
  title?: string;
  side?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`panel ${className}`} aria-label={title} id={id} tabIndex={id === undefined ? undefined : -1}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {side}
        </header>
      )}
      {children}
    </section>
  );
}

/** The purpose of an empty list, why it is empty, one button. */
export function Empty({ title, help, children }: { title: string; help: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <div>
        <h2>{title}</h2>
        <p className="t2">{help}</p>
      </div>
      {children}
    </div>
  );
}
