import { useTranslation } from 'react-i18next';
import { isScope } from '#common/scopes.ts';
import { Segments } from '#ui/segments.tsx';
import { useEditorContext, useShownDefinition } from '../editor-context.tsx';
import type { Draft } from '../model/draft.ts';
import { ScopeTicks } from './scopes-field.tsx';

/** Nothing is chosen: the pipeline's own settings. */
export function PipelineForm({ readOnly }: { readOnly: boolean }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const shown = useShownDefinition();
  const edit = (field: string, change: (draft: Draft) => Draft) =>
    store.edit({ code: 'pipeline', about: shown.name }, change, `pipeline/${field}`);
  const act = (field: string, change: (draft: Draft) => Draft) => {
    store.settle();
    edit(field, change);
    store.settle();
  };
  return (
    <div className="settings-list">
      <p className="t3">{t('editorForm.pipeline.hint')}</p>
      <div className="setting">
        <label className="setting-title" htmlFor="pipeline-name">
          {t('editorForm.name')}
        </label>
        <input
          id="pipeline-name"
          type="text"
          className="setting-input"
          value={shown.name}
          readOnly={readOnly}
          autoComplete="off"
          onChange={({ target }) => edit('name', (draft) => ({ ...draft, name: target.value }))}
          onBlur={() => store.settle()}
        />
      </div>
      <div className="setting">
        <span className="setting-title" aria-hidden="true">
          {t('editorForm.pipeline.runAs')}
        </span>
        <Segments
          label={t('editorForm.pipeline.runAs')}
          value={shown.runAs}
          options={[
            { value: 'caller', label: t('editorForm.pipeline.caller') },
            { value: 'pipeline', label: t('editorForm.pipeline.pipeline') },
          ]}
          onChange={(runAs) => !readOnly && runAs !== shown.runAs && act('runAs', (draft) => ({ ...draft, runAs }))}
        />
        <p className="mantine-InputWrapper-description">
          {t(shown.runAs === 'caller' ? 'editorForm.pipeline.callerHelp' : 'editorForm.pipeline.pipelineHelp')}
        </p>
      </div>
      <fieldset className="setting" aria-labelledby="pipeline-grants">
        <span id="pipeline-grants" className="setting-title">
          {t('editorForm.pipeline.grants')}
        </span>
        <p className="mantine-InputWrapper-description">{t('editorForm.pipeline.grantsHelp')}</p>
        <ScopeTicks
          chosen={shown.grants}
          readOnly={readOnly}
          explained
          onChange={(scopes) => act('grants', (draft) => ({ ...draft, grants: scopes.filter(isScope) }))}
        />
      </fieldset>
    </div>
  );
}
