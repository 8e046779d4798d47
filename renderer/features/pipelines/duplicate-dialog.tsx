import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useDuplicatePipeline } from '#api/project-file-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { ImportedDialog } from '#ui/imported-dialog.tsx';
import { NameAndIdFields, useNameAndId } from '#ui/name-and-id.tsx';

const NAME_CHARS_MAX = 64;

/** A copy in the same project, with its own name and ID. It has no secrets and is not running. */
export function DuplicateDialog({ pipeline, onClose }: { pipeline: PipelineRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const pipelines = usePipelines().data ?? [];
  const taken = new Set(pipelines.filter(({ project }) => project === pipeline.project).map(({ id }) => id));
  const firstName = t('pipelineList.copyOf', { name: pipeline.name }).slice(0, NAME_CHARS_MAX);
  const named = useNameAndId({ kind: 'pipeline', taken, firstName });
  const copy = useDuplicatePipeline();
  if (copy.data !== undefined)
    return (
      <ImportedDialog title={t('pipelineList.copied', copy.data.pipeline)} imported={copy.data} onClose={onClose} />
    );
  const submit = () => {
    const asked = named.ask();
    if (asked !== null) copy.mutate({ pipeline, ...asked });
  };
  return (
    <FormDialog
      title={t('pipelineList.duplicateTitle', { name: pipeline.name })}
      act={t('pipelineList.duplicateSubmit')}
      call={copy}
      shownFields={['id']}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="t2">{t('pipelineList.duplicateLead')}</p>
      <NameAndIdFields
        of={named}
        nameLabel={t('pipelines.newName')}
        nameHelp={t('pipelines.newNameHelp')}
        idFault={fieldFault(copy.error, 'id')}
      />
    </FormDialog>
  );
}
