import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedQuery } from '#common/model/named-query.ts';
import { useDefinitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { Tags } from '#ui/tags.tsx';
import { DataHead } from './data-head.tsx';
import { NewButton, NoDefinitions, OpenButton, UsedBy } from './definition-list.tsx';
import { QueryEditor } from './query-editor.tsx';
import { useOpenDefinition } from './use-open-definition.ts';
import { usersOf } from './users.ts';

/** Named queries: the list, or one in its editor. */
export function QueriesPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const queries = useDefinitions(project, 'queries');
  const { opened, open } = useOpenDefinition();
  const [notice, setNotice] = useState<Notice | null>(null);
  const shown = opened.kind === 'one' ? queries.data?.find(({ id }) => id === opened.id) : undefined;
  const makeNew = () => open({ kind: 'new' });
  const listed = opened.kind === 'none' || (opened.kind === 'one' && queries.data !== undefined && !shown);
  return (
    <>
      <DataHead
        answer={queries.data && t('queries.answer', { count: queries.data.length })}
        actions={listed && <NewButton label={t('queries.create')} onClick={makeNew} />}
      />
      {queries.isError && <ErrorNote error={queries.error} />}
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {listed && queries.data?.length === 0 && (
        <NoDefinitions
          title={t('queries.empty')}
          help={t('queries.emptyHelp')}
          act={t('queries.createFirst')}
          onNew={makeNew}
        />
      )}
      {listed && queries.data && queries.data.length > 0 && (
        <QueryTable project={project} queries={queries.data} onOpen={(id) => open({ kind: 'one', id })} />
      )}
      {(opened.kind === 'new' || shown) && (
        <QueryEditor
          key={shown?.id ?? ''}
          project={project}
          query={shown ?? null}
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
  queries: readonly NamedQuery[];
  onOpen: (id: string) => void;
}

function QueryTable({ project, queries, onOpen }: TableProps) {
  const { t } = useTranslation();
  const pipelines = usePipelines().data ?? [];
  return (
    <Panel>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>{t('queries.name')}</th>
              <th>{t('queries.connection')}</th>
              <th>{t('queries.params')}</th>
              <th>{t('data.users.title')}</th>
            </tr>
          </thead>
          <tbody>
            {queries.map(({ id, description, connection, params }) => (
              <tr key={id}>
                <td>
                  <OpenButton id={id} description={description} onOpen={() => onOpen(id)} />
                </td>
                <td className="mono">{connection}</td>
                <td>
                  <Tags names={params.map(({ name }) => name)} none={t('queries.noParams')} />
                </td>
                <td>
                  <UsedBy users={usersOf(pipelines, project, 'query', id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
