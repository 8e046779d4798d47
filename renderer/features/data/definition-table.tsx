import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Definitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { Panel } from '#ui/panel.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { OpenButton, UsedBy } from './definition-list.tsx';
import { usersOf } from './users.ts';

interface Props<Definition> {
  project: string;
  kind: 'query' | 'script';
  definitions: readonly Definition[];
  /** The head of the first column. */
  name: string;
  /** The heads of the columns between the name and the users. */
  columns: ComponentProps<typeof ListTable>['columns'];
  /** The cells of these columns. */
  renderCells: (definition: Definition) => ReactNode;
  onOpen: (id: string) => void;
}

/** The queries or scripts of a project, each with the pipelines that use it. */
export function DefinitionTable<Definition extends Definitions[keyof Definitions]>(props: Props<Definition>) {
  const { project, kind, definitions, name, columns, renderCells, onOpen } = props;
  const { t } = useTranslation();
  const pipelines = usePipelines().data ?? [];
  return (
    <Panel>
      <ListTable columns={[name, ...columns, t('data.users.title')]}>
        {definitions.map((definition) => {
          const { id, description, draft } = definition;
          return (
            <tr key={id}>
              <td>
                <OpenButton {...{ id, description }} isDraft={draft !== undefined} onOpen={() => onOpen(id)} />
              </td>
              {renderCells(definition)}
              <td>
                <UsedBy users={usersOf(pipelines, project, kind, id)} />
              </td>
            </tr>
          );
        })}
      </ListTable>
    </Panel>
  );
}
