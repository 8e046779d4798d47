import { useTranslation } from 'react-i18next';
import type { Definitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { OpenButton, UsedBy } from './definition-list.tsx';
import { DefinitionsPart } from './definitions-part.tsx';
import { ScriptEditor } from './script-editor.tsx';
import { usersOf } from './users.ts';

export function ScriptsPart({ project }: { project: string }) {
  return (
    <DefinitionsPart
      project={project}
      family="scripts"
      renderTable={(all, onOpen) => <ScriptTable project={project} scripts={all} onOpen={onOpen} />}
      renderEditor={(props) => <ScriptEditor key={props.before?.id ?? ''} {...props} />}
    />
  );
}

interface TableProps {
  project: string;
  scripts: readonly Definitions['scripts'][];
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
            {scripts.map(({ id, description, code, deadline, draft }) => (
              <tr key={id}>
                <td>
                  <OpenButton
                    id={id}
                    description={description}
                    isDraft={draft !== undefined}
                    onOpen={() => onOpen(id)}
                  />
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
