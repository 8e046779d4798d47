interface Column {
  text: string;
  className: string;
}

interface Props {
  columns: readonly (string | Column)[];
  /** The label of a last column of buttons, for screen readers. */
  actions?: string;
}

export function TableHead({ columns, actions }: Props) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { text, className } = typeof column === 'string' ? { text: column, className: undefined } : column;
          return (
            <th key={text} className={className}>
              {text}
            </th>
          );
        })}
        {actions !== undefined && (
          <th>
            <span className="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
