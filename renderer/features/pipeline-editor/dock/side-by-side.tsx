import { useTranslation } from 'react-i18next';
import { jsonText, pairLines } from './json-lines.ts';
import { TableHead } from '#ui/table-head.tsx';

/** Two values as JSON, line by line; undefined: missing. */
export function SideBySide({ title, before, after }: { title: string; before: unknown; after: unknown }) {
  const { t } = useTranslation();
  const pairs = pairLines(jsonText(before), jsonText(after));
  const empty = (value: unknown) => (value === undefined ? ` (${t('editorDock.comparing.absent')})` : '');
  return (
    <div className="side-by-side code">
      <header>
        <b>{title}</b>
      </header>
      <table aria-label={title}>
        <TableHead
          columns={[t('editorDock.comparing.before') + empty(before), t('editorDock.comparing.after') + empty(after)]}
        />
        <tbody>
          {pairs.map(({ before: old, after: now }, line) => (
            // Lines have no identity, and the list is replaced as a whole.
            <tr key={line}>
              <td className={old !== now && old !== null ? 'gone' : ''}>
                {old !== now && old !== null ? mark('−', old) : old}
              </td>
              <td className={old !== now && now !== null ? 'come' : ''}>
                {old !== now && now !== null ? mark('+', now) : now}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Colour alone would not be enough. */
function mark(sign: string, line: string) {
  return (
    <>
      <span className="sign">{sign}</span>
      {line}
    </>
  );
}
