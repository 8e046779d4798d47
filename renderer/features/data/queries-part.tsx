import { useTranslation } from 'react-i18next';
import { Tags } from '#ui/tags.tsx';
import { DefinitionTable } from './definition-table.tsx';
import { DefinitionsPart } from './definitions-part.tsx';
import { QueryEditor } from './query-editor.tsx';

export function QueriesPart({ project }: { project: string }) {
  const { t } = useTranslation();
  return (
    <DefinitionsPart
      project={project}
      family="queries"
      renderTable={(definitions, onOpen) => (
        <DefinitionTable
          {...{ project, definitions, onOpen }}
          kind="query"
          name={t('queries.name')}
          columns={[t('queries.connection'), t('queries.params')]}
          renderCells={({ connection, params }) => (
            <>
              <td className="mono">{connection}</td>
              <td>
                <Tags names={params.map(({ name }) => name)} none={t('queries.noParams')} />
              </td>
            </>
          )}
        />
      )}
      renderEditor={(props) => <QueryEditor key={props.before?.id ?? ''} {...props} />}
    />
  );
}
