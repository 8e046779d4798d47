import { useTranslation } from 'react-i18next';
import type { Definitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { Panel } from '#ui/panel.tsx';
import { Tags } from '#ui/tags.tsx';
import { OpenButton, UsedBy } from './definition-list.tsx';
import { DefinitionsPart } from './definitions-part.tsx';
import { QueryEditor } from './query-editor.tsx';
import { usersOf } from './users.ts';

export function QueriesPart({ project }: { project: string }) {
  return (
    <DefinitionsPart
      project={project}
      family="queries"
      renderTable={(all, onOpen) => <QueryTable project={project} queries={all} onOpen={onOpen} />}
      renderEditor={(props) => <QueryEditor key={props.before?.id ?? ''} {...props} />}
    />
  );
}

interface TableProps {
  project: string;
  queries: readonly Definitions['queries'][];
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
            {queries.map(({ id, description, connection, params, draft }) => (
              <tr key={id}>
                <td>
                  <OpenButton
                    id={id}
                    description={description}
                    isDraft={draft !== undefined}
                    onOpen={() => onOpen(id)}
                  />
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
