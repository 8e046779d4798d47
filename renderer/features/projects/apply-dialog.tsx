import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { type ProjectPlan, useApplyProject, usePlanProject } from '#api/project-file-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { FileChoice, readFile } from '#ui/import-dialog.tsx';
import { Note } from '#ui/note.tsx';

interface Props {
  project: ProjectRecord;
  onDone: (text: string) => void;
  onClose: () => void;
}

interface Chosen {
  name: string;
  content: unknown;
}

/** Applies a project file: the plan is shown when the file is chosen, and exactly this plan is applied. */
export function ApplyDialog({ project, onDone, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const plan = usePlanProject(project.id);
  const apply = useApplyProject(project.id);
  const { id, name } = project;

  const choose = async (file: File) => {
    apply.reset();
    plan.reset();
    const read = await readFile(t, i18n.language, 'project', file);
    setFault(typeof read === 'string' ? read : null);
    setChosen(typeof read === 'string' ? null : { name: file.name, content: read.content });
    if (typeof read !== 'string') plan.mutate(read.content);
  };
  const submit = () => {
    if (chosen === null) return setFault(t('projectFiles.import.missing'));
    if (plan.data === undefined || plan.data.refused.length > 0) return undefined;
    return apply.mutate(
      { file: chosen.content, digest: plan.data.digest },
      { onSuccess: ({ changes }) => onDone(t('projectApply.done', { count: changes.length, name })) },
    );
  };
  return (
    <FormDialog
      wide
      title={t('projectApply.title', { name })}
      act={t('projectApply.submit')}
      failed={t('projectApply.failed')}
      call={apply}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="t2">{t('projectApply.lead')}</p>
      <FileChoice name={chosen?.name ?? null} fault={fault} onChoose={(file) => void choose(file)} />
      {plan.isPending && <output>{t('projectApply.planning')}</output>}
      {plan.error !== null && <ErrorNote error={plan.error} title={t('projectApply.planFailed')} />}
      {plan.data && <Plan key={`${id} ${plan.data.digest}`} plan={plan.data} />}
    </FormDialog>
  );
}

/** The sentences of the admin API are in English. */
function Plan({ plan: { changes, refused, toFillIn } }: { plan: ProjectPlan }) {
  const { t } = useTranslation();
  return (
    <section className="stack tight" aria-live="polite">
      {refused.length > 0 && (
        <Note kind="warning" title={t('projectApply.refused')}>
          {refused.map(({ text }) => (
            <p key={text} lang="en">
              {text}
            </p>
          ))}
        </Note>
      )}
      <h3>{changes.length === 0 ? t('projectApply.none') : t('projectApply.changes', { count: changes.length })}</h3>
      <ul className="stack tight">
        {changes.map(({ what, id, action, text, needs }) => (
          <li key={`${what} ${id}`}>
            <b>{t(`projectApply.${action}`)}</b>: <span lang="en">{text}</span>
            {needs.length > 0 && (
              <p className="t2">
                {t('projectApply.needs', {
                  permissions: needs.map((permission) => t(`people.permission.${permission}`)).join(', '),
                })}
              </p>
            )}
          </li>
        ))}
      </ul>
      {toFillIn.length > 0 && <Note>{t('projectApply.open', { count: toFillIn.length })}</Note>}
    </section>
  );
}
