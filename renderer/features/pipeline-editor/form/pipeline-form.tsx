import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PipelineLimits, THING_LISTS } from '#common/model/key-limits.ts';
import { isScope } from '#common/scopes.ts';
import { Segments } from '#ui/segments.tsx';
import { useEditorContext, useShownDefinition } from '../editor-context.tsx';
import type { Draft } from '../model/draft.ts';
import type { Wiring } from '#ui/form/frame.tsx';
import { ScopeTicks } from '#ui/form/scopes-field.tsx';
import { LeftText } from '#ui/form/text-setting.tsx';
import { limitName } from '#ui/limits/limit-fields.tsx';
import { LimitsDialog } from './limits-dialog.tsx';

const NAME: Wiring = {
  id: 'pipeline-name',
  'aria-describedby': undefined,
  'aria-invalid': undefined,
  'aria-required': true,
};

/** Without a selection: the settings of the pipeline itself. */
export function PipelineForm({ readOnly }: { readOnly: boolean }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const shown = useShownDefinition();
  const act = (change: (draft: Draft) => Draft) => store.edit({ code: 'pipeline', about: shown.name }, change);
  return (
    <div className="settings-list">
      <p className="t3">{t('editorForm.pipeline.hint')}</p>
      <div className="setting">
        <label className="setting-title" htmlFor={NAME.id}>
          {t('editorForm.name')}
        </label>
        <LeftText
          wiring={NAME}
          value={shown.name}
          placeholder=""
          readOnly={readOnly}
          onChange={(name) => name.trim() !== '' && act((draft) => ({ ...draft, name: name.trim() }))}
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
          onChange={(runAs) => !readOnly && runAs !== shown.runAs && act((draft) => ({ ...draft, runAs }))}
        />
        <p className="mantine-InputWrapper-description">
          {t(shown.runAs === 'caller' ? 'editorForm.pipeline.callerHelp' : 'editorForm.pipeline.pipelineHelp')}
        </p>
      </div>
      <div className="setting">
        <span className="setting-title" aria-hidden="true">
          {t('editorForm.pipeline.rehearsal')}
        </span>
        <Segments
          label={t('editorForm.pipeline.rehearsal')}
          value={shown.rehearsal === true ? 'simulated' : 'performed'}
          options={[
            { value: 'performed', label: t('editorForm.pipeline.performed') },
            { value: 'simulated', label: t('editorForm.pipeline.simulated') },
          ]}
          onChange={(chosen) =>
            !readOnly && act((draft) => ({ ...draft, rehearsal: chosen === 'simulated' || undefined }))
          }
        />
        <p className="mantine-InputWrapper-description">{t('editorForm.pipeline.rehearsalHelp')}</p>
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
          onChange={(scopes) => act((draft) => ({ ...draft, grants: scopes.filter(isScope) }))}
        />
      </fieldset>
      <Limits readOnly={readOnly} act={act} />
    </div>
  );
}

/** The limits of the grants; they are edited in a dialog. */
function Limits({ readOnly, act }: { readOnly: boolean; act: (change: (draft: Draft) => Draft) => void }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const { grants, limits = {} } = useShownDefinition();
  const [open, setOpen] = useState(false);
  const lists = THING_LISTS.filter((list) => list === 'targets' || grants.includes(list));
  const limited = lists.filter((list) => limits[list] !== undefined);
  const save = (changed: PipelineLimits) => {
    act((draft) => ({ ...draft, limits: Object.keys(changed).length === 0 ? undefined : changed }));
    setOpen(false);
  };
  return (
    <div className="setting">
      <span className="setting-title">{t('editorForm.pipeline.limits')}</span>
      {limited.length === 0 ? (
        <p className="mantine-InputWrapper-description">{t('editorForm.pipeline.limitsNone')}</p>
      ) : (
        <ul>
          {limited.map((list) => (
            <li key={list}>
              {limitName(t, list)}: <span className="mono">{limits[list]?.join(', ') || t('keyLimits.nothing')}</span>
            </li>
          ))}
        </ul>
      )}
      {!readOnly && <Button onClick={() => setOpen(true)}>{t('editorForm.pipeline.limitsChange')}</Button>}
      {open && (
        <LimitsDialog
          project={record.project}
          lists={lists}
          limits={limits}
          onSave={save}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
