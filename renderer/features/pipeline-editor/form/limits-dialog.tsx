import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '#common/model/fields.ts';
import { pipelineLimits, type PipelineLimits, type ThingList } from '#common/model/key-limits.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { listsOf, textsOf } from '#ui/limits/limit-entries.ts';
import { LimitLists } from '#ui/limits/limit-fields.tsx';
import { Note } from '#ui/note.tsx';

interface Props {
  project: string;
  /** The scopes that the pipeline is granted, and `targets`. */
  lists: readonly ThingList[];
  limits: PipelineLimits;
  onSave: (limits: PipelineLimits) => void;
  onClose: () => void;
}

/** The limits of the grants of a pipeline. They are part of the draft. */
export function LimitsDialog({ project, lists, limits, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const [texts, setTexts] = useState(() => textsOf(limits));
  const [fault, setFault] = useState<string | null>(null);
  const submit = () => {
    const read = pipelineLimits.safeParse(listsOf(texts, lists));
    if (read.success) onSave(read.data);
    else
      setFault(
        fieldErrors(read.error)
          .map(({ path, message }) => `${path}: ${message}`)
          .join('; '),
      );
  };
  return (
    <FormDialog
      wide
      title={t('editorForm.pipeline.limitsTitle')}
      act={t('editorForm.pipeline.limitsSave')}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="t2">{t('editorForm.pipeline.limitsHelp')}</p>
      <LimitLists project={project} lists={lists} texts={texts} onChange={setTexts} />
      {fault !== null && <Note kind="error">{fault}</Note>}
    </FormDialog>
  );
}
