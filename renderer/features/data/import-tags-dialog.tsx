import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { useReplaceTags } from '#api/data-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { Note } from '#ui/note.tsx';
import { Segments } from '#ui/segments.tsx';
import { importedTags, planImport, readTagFile, type ReadTags } from './import-plan.ts';
import { PickFile } from '#ui/pick-file.tsx';

interface Props extends NoticeProps {
  project: string;
  tags: readonly TagDefinition[];
}

/** A file of tags: new and changed tags are shown before anything is saved. */
export function ImportTagsDialog({ project, tags, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const replace = useReplaceTags(project);
  const [file, setFile] = useState<ReadTags | null>(null);
  const [others, setOthers] = useState<'keep' | 'delete'>('keep');
  const plan = file?.kind === 'tags' ? planImport(tags, file.items) : null;
  const submit = () => {
    if (plan === null) return;
    replace.mutate(importedTags(tags, plan, others === 'keep'), {
      onSuccess: ({ count, removed }) => {
        onNotice({ kind: 'done', text: t('data.import.done', { count, removed }) });
        onClose();
      },
    });
  };
  return (
    <FormDialog
      wide
      title={t('data.import.title')}
      act={t('data.import.submit')}
      call={replace}
      failed={t('data.import.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('data.import.lead')}</p>
      <PickFile
        label={t('data.import.choose')}
        accept="application/json,.json"
        onPick={(chosen) => void chosen.text().then((text) => setFile(readTagFile(text)))}
      />
      {file !== null && file.kind !== 'tags' && (
        <Note kind="error" title={file.kind === 'not-json' ? t('data.import.notJson') : t('data.import.noList')} />
      )}
      {plan !== null && (
        <>
          <PlanPart title={t('data.import.made', { count: plan.made.length })} paths={plan.made} />
          <PlanPart title={t('data.import.changed', { count: plan.changed.length })} paths={plan.changed} />
          <p className="t2">{t('data.import.same', { count: plan.same.length })}</p>
          {plan.others.length > 0 && (
            <>
              <PlanPart title={t('data.import.others', { count: plan.others.length })} paths={plan.others} />
              <Segments
                label={t('data.import.othersLabel')}
                value={others}
                options={[
                  { value: 'keep', label: t('data.import.keepOthers') },
                  { value: 'delete', label: t('data.import.deleteOthers') },
                ]}
                onChange={setOthers}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

const PATHS_SHOWN = 20;

function PlanPart({ title, paths }: { title: string; paths: readonly string[] }) {
  const { t } = useTranslation();
  if (paths.length === 0) return <p className="t2">{title}</p>;
  const more = paths.length - PATHS_SHOWN;
  return (
    <div>
      <h3>{title}</h3>
      <p className="mono break t2">
        {paths.slice(0, PATHS_SHOWN).join(', ')}
        {more > 0 && ` ${t('data.import.more', { count: more })}`}
      </p>
    </div>
  );
}
