import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDefinitions, type Definitions, type Family } from '#api/definition-queries.ts';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { DataHead } from './data-head.tsx';
import type { EditorProps } from './definition-editor.tsx';
import { NewButton, NoDefinitions } from './definition-list.tsx';
import { useOpenDefinition } from './use-open-definition.ts';

interface Props<F extends Family> {
  project: string;
  family: F;
  renderTable: (all: readonly Definitions[F][], onOpen: (id: string) => void) => ReactNode;
  renderEditor: (props: EditorProps<Definitions[F]>) => ReactNode;
}

/** Named queries or library scripts: the list, or one in its editor. */
export function DefinitionsPart<F extends Family>({ project, family, renderTable, renderEditor }: Props<F>) {
  const { t } = useTranslation();
  const texts: Family = family;
  const all = useDefinitions(project, family);
  const { opened, open } = useOpenDefinition();
  const [notice, setNotice] = useState<Notice | null>(null);
  const shown = opened.kind === 'one' ? all.data?.find(({ id }) => id === opened.id) : undefined;
  const makeNew = () => open({ kind: 'new' });
  const listed = opened.kind === 'none' || (opened.kind === 'one' && all.data !== undefined && !shown);
  return (
    <>
      <DataHead
        answer={all.data && t(`${texts}.answer`, { count: all.data.length })}
        actions={listed && <NewButton label={t(`${texts}.create`)} onClick={makeNew} />}
      />
      <LoadingRows of={all} />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {listed && all.data?.length === 0 && (
        <NoDefinitions
          title={t(`${texts}.empty`)}
          help={t(`${texts}.emptyHelp`)}
          act={t(`${texts}.createFirst`)}
          onNew={makeNew}
        />
      )}
      {listed && all.data && all.data.length > 0 && renderTable(all.data, (id) => open({ kind: 'one', id }))}
      {(opened.kind === 'new' || shown) &&
        renderEditor({
          project,
          before: shown ?? null,
          onNotice: setNotice,
          onSaved: (id) => open({ kind: 'one', id }),
          onClose: () => open({ kind: 'none' }),
        })}
    </>
  );
}
