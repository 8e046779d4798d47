import { useLayoutEffect, useRef } from 'react';

interface Column {
  text: string;
  className?: string;
  /** For screen readers only. */
  hidden?: boolean;
  title?: string;
}

interface Props {
  columns: readonly (string | Column)[];
  /** The label of a last column of buttons, for screen readers. */
  actions?: string;
}

/** Below 900 px a row is a card (narrow.css), where each cell has the name of its column from a property of the table. */
export function TableHead({ columns, actions }: Props) {
  const head = useRef<HTMLTableSectionElement>(null);
  const named = columns.map((column) => (typeof column === 'string' ? { text: column } : column));
  useLayoutEffect(() => {
    const table = head.current?.closest('table');
    for (const [index, { text, hidden }] of named.entries())
      table?.style.setProperty(`--label-${index + 1}`, hidden ? 'none' : JSON.stringify(text));
  });
  return (
    <thead ref={head}>
      <tr>
        {named.map(({ text, className, hidden, title }: Column) => (
          <th key={text} className={className} title={title}>
            {hidden ? <span className="visually-hidden">{text}</span> : text}
          </th>
        ))}
        {actions !== undefined && (
          <th>
            <span className="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
