import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryScript } from '#common/model/library-script.ts';
import { useDefinitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { DataHead } from './data-head.tsx';
import { NewButton, NoDefinitions, OpenButton, UsedBy } from './definition-list.tsx';
import { ScriptEditor } from './script-editor.tsx';
import { useOpenDefinition } from './use-open-definition.ts';
import { usersOf } from './users.ts';

/** Library scripts: the list, or one in its editor. */
export function ScriptsPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const scripts = useDefinitions(project, 'scripts');
  const { opened, open } = useOpenDefinition();
  const [notice, setNotice] = useState<Notice | null>(null);
  const shown = opened.kind === 'one' ? scripts.data?.find(({ id }) => id === opened.id) : undefined;
  const makeNew = () => open({ kind: 'new' });
  const listed = opened.kind === 'none' || (opened.kind === 'one' && scripts.data !== undefined && !shown);
  return (
    <>
      <DataHead
        answer={scripts.data && t('scripts.answer', { count: scripts.data.length })}
        actions={listed && <NewButton label={t('scripts.create')} onClick={makeNew} />}
      />
      {scripts.isError && <ErrorNote error={scripts.error} />}
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {listed && scripts.data?.length === 0 && (
        <NoDefinitions
          title={t('scripts.empty')}
          help={t('scripts.emptyHelp')}
          act={t('scripts.createFirst')}
          onNew={makeNew}
        />
      )}
      {listed && scripts.data && scripts.data.length > 0 && (
        <ScriptTable project={project} scripts={scripts.data} onOpen={(id) => open({ kind: 'one', id })} />
      )}
      {(opened.kind === 'new' || shown) && (
        <ScriptEditor
          key={shown?.id ?? ''}
          project={project}
          script={shown ?? null}
          onNotice={setNotice}
          onSaved={(id) => open({ kind: 'one', id })}
          onClose={() => open({ kind: 'none' })}
        />
      )}
    </>
  );
}

interface TableProps {
  project: string;
  scripts: readonly LibraryScript[];
  onOpen: (id: string) => void;
}

function ScriptTable({ project, scripts, onOpen }: TableProps) {
  const { t, i18n } = useTranslation();
  const pipelines = usePipelines().data ?? [];
  return (
    <Panel>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>{t('scripts.name')}</th>
              <th className="number-cell">{t('scripts.lines')}</th>
              <th className="number-cell">{t('scripts.deadline')}</th>
              <th>{t('data.users.title')}</th>
            </tr>
          </thead>
          <tbody>
            {scripts.map(({ id, description, code, deadline }) => (
              <tr key={id}>
                <td>
                  <OpenButton id={id} description={description} onOpen={() => onOpen(id)} />
                </td>
                <td className="number-cell">{numberText(code.trimEnd().split('\n').length, i18n.language)}</td>
                <td className="number-cell">
                  {numberText(deadline, i18n.language, 1)} <span className="t3">s</span>
                </td>
                <td>
                  <UsedBy users={usersOf(pipelines, project, 'script', id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
