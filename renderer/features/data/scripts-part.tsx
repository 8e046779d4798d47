import { useTranslation } from 'react-i18next';
import { numberText } from '#ui/quantity.ts';
import { DefinitionTable } from './definition-table.tsx';
import { DefinitionsPart } from './definitions-part.tsx';
import { ScriptEditor } from './script-editor.tsx';

export function ScriptsPart({ project }: { project: string }) {
  const { t, i18n } = useTranslation();
  return (
    <DefinitionsPart
      project={project}
      family="scripts"
      renderTable={(definitions, onOpen) => (
        <DefinitionTable
          {...{ project, definitions, onOpen }}
          kind="script"
          name={t('scripts.name')}
          columns={[
            { text: t('scripts.lines'), className: 'number-cell' },
            { text: t('scripts.deadline'), className: 'number-cell' },
          ]}
          renderCells={({ code, deadline }) => (
            <>
              <td className="number-cell">{numberText(code.trimEnd().split('\n').length, i18n.language)}</td>
              <td className="number-cell">
                {numberText(deadline, i18n.language, 1)} <span className="t3">s</span>
              </td>
            </>
          )}
        />
      )}
      renderEditor={(props) => <ScriptEditor key={props.before?.id ?? ''} {...props} />}
    />
  );
}
