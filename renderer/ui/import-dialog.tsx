import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { freeId } from '#common/model/free-id.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useImport, type ImportInput } from '#api/project-file-queries.ts';
import { usePipelines, useProjects } from '#api/queries.ts';
import { FieldFault } from './field-error.tsx';
import { FormDialog } from './form-dialog.tsx';
import { PickFile } from './pick-file.tsx';
import { ChoiceField, TextField } from './form-fields.tsx';
import { ImportedDialog } from './imported-dialog.tsx';
import { PROJECT_ID } from './project-id.ts';
import { bytesText } from './quantity.ts';
import { readProjectFile, type FileSummary } from './read-project-file.ts';

/** In the form that the admin API accepts. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
const NAME_CHARS_MAX = 64;

interface Props {
  kind: 'project' | 'pipeline';
  /** For a pipeline: the initially selected project. */
  project?: ProjectRecord | null;
  onClose: () => void;
}

type Chosen = { file: string; summary: FileSummary };

/**
 * Imports a project or a pipeline from a file: shows its content and the new ID, and afterwards the secrets to enter.
 */
export function ImportDialog({ kind, project = null, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const projects = useProjects().data ?? [];
  const pipelines = usePipelines().data ?? [];
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [otherInto, setInto] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [ownId, setOwnId] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  // The list of projects may be loaded later than the dialog.
  const into = otherInto ?? project?.id ?? projects[0]?.id ?? '';
  const send = useImport();
  const siblings = kind === 'project' ? projects : pipelines.filter((pipeline) => pipeline.project === into);
  const taken = new Set(siblings.map(({ id }) => id));
  const id = ownId ?? (chosen === null ? '' : freeId(chosen.summary.id, taken));
  const nameOk = kind === 'pipeline' || (name.trim() !== '' && name.trim().length <= NAME_CHARS_MAX);
  if (send.data !== undefined) return <ImportedDialog imported={send.data} onClose={onClose} />;

  const choose = async (file: File) => {
    send.reset();
    const read = await readFile(t, i18n.language, kind, file);
    setFault(typeof read === 'string' ? read : null);
    setChosen(typeof read === 'string' ? null : { file: file.name, summary: read });
    setOwnId(null);
    setName(typeof read === 'string' ? '' : read.name);
  };
  const submit = () => {
    setAsked(true);
    if (chosen === null || !nameOk || !PROJECT_ID.test(id)) return;
    const file = chosen.summary.content;
    const input: ImportInput =
      kind === 'project' ? { kind, file, id, name: name.trim() } : { kind, file, id, project: into };
    send.mutate(input);
  };
  const idFault = asked && chosen !== null && !PROJECT_ID.test(id) ? t('projects.idBad') : fieldFault(send.error, 'id');
  return (
    <FormDialog
      title={t(`projectFiles.import.${kind}`)}
      act={t(`projectFiles.import.${kind}`)}
      call={send}
      shownFields={['id']}
      failed={t('projectFiles.import.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="t2">{t(`projectFiles.import.lead.${kind}`)}</p>
      <FileChoice
        name={chosen?.file ?? null}
        fault={fault ?? (asked && chosen === null ? t('projectFiles.import.missing') : null)}
        onChoose={(file) => void choose(file)}
      />
      {kind === 'pipeline' && projects.length > 1 && (
        <ChoiceField
          label={t('projectFiles.import.into')}
          value={into}
          options={projects.map((one) => ({ value: one.id, label: one.name }))}
          onChange={setInto}
        />
      )}
      {chosen !== null && (
        <>
          <Contents summary={chosen.summary} />
          {kind === 'project' && (
            <TextField
              label={t('projectFiles.import.name')}
              value={name}
              onChange={setName}
              fault={asked && !nameOk ? t('projects.nameBad') : null}
            />
          )}
          <TextField
            label={t('projectFiles.import.id')}
            help={
              taken.has(chosen.summary.id)
                ? t('projectFiles.import.idTaken', { id: chosen.summary.id })
                : t('projectFiles.import.idHelp')
            }
            value={id}
            onChange={setOwnId}
            fault={idFault}
            mono
          />
        </>
      )}
    </FormDialog>
  );
}

interface FileProps {
  name: string | null;
  fault: string | null;
  onChoose: (file: File) => void;
}

export function FileChoice({ name, fault, onChoose }: FileProps) {
  const { t } = useTranslation();
  const label = name === null ? t('projectFiles.import.choose') : t('projectFiles.import.chooseOther');
  return (
    <div>
      <div className="row wrap">
        <PickFile first label={label} accept=".json" onPick={onChoose} />
        <span className={name === null ? 't3' : 'mono'}>{name ?? t('projectFiles.import.none')}</span>
      </div>
      {fault !== null && (
        <p className="mantine-InputWrapper-error" role="alert">
          <FieldFault text={fault} />
        </p>
      )}
    </div>
  );
}

const PARTS = ['pipelines', 'connections', 'queries', 'tags', 'scripts'] as const;

function Contents({ summary }: { summary: FileSummary }) {
  const { t } = useTranslation();
  const parts = PARTS.filter((part) => summary.counts[part] > 0);
  return (
    <dl className="facts">
      <dt>{t('projectFiles.import.holds')}</dt>
      <dd>
        <b>{summary.name}</b>
        {parts.length > 0 && ': '}
        {parts.map((part) => t(`projectFiles.import.${part}`, { count: summary.counts[part] })).join(', ')}
        {summary.leftOut > 0 && <p>{t('projectFiles.import.leftOut', { count: summary.leftOut })}</p>}
      </dd>
    </dl>
  );
}

/** The file, or why it cannot be used. */
export async function readFile(
  t: TFunction,
  locale: string,
  kind: Props['kind'],
  file: File,
): Promise<FileSummary | string> {
  const values = { file: file.name };
  if (file.size > FILE_BYTES_MAX) {
    const sizes = { size: bytesText(file.size, locale), max: bytesText(FILE_BYTES_MAX, locale) };
    return t('projectFiles.import.tooLarge', { ...values, ...sizes });
  }
  const summary = readProjectFile(await file.text());
  if (summary === null) return t('projectFiles.import.notOurs', values);
  if (summary.kind === kind) return summary;
  return summary.kind === 'project'
    ? t('projectFiles.import.isProject', values)
    : t('projectFiles.import.isPipeline', values);
}
