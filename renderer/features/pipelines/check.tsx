import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CheckFinding, CheckResult } from '#common/model/pipeline.ts';
import { useCheckPipeline } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';

/** What a start of the newest saved revision would say. */
export function CheckButton({ project, id }: { project: string; id: string }) {
  const { t } = useTranslation();
  const check = useCheckPipeline();
  return (
    <>
      <Button onClick={() => check.mutate({ project, id })} loading={check.isPending}>
        {t('pipelines.check')}
      </Button>
      {check.isError && <ErrorNote error={check.error} />}
      {check.data && <Findings result={check.data} />}
    </>
  );
}

function Findings({ result }: { result: CheckResult }) {
  const { t } = useTranslation();
  const { errors, warnings, scopes } = result;
  return (
    <output className="stack tight full">
      {errors.length > 0 && (
        <Note kind="error" title={t('pipelines.checkErrors')}>
          <FindingList findings={errors} />
        </Note>
      )}
      {warnings.length > 0 && (
        <Note kind="warning" title={t('pipelines.checkWarnings')}>
          <FindingList findings={warnings} />
        </Note>
      )}
      {errors.length + warnings.length === 0 && <Note title={t('pipelines.checkOk')} />}
      {scopes.length > 0 && <Note title={t('pipelines.checkScopes', { scopes: scopes.join(', ') })} />}
    </output>
  );
}

function FindingList({ findings }: { findings: CheckFinding[] }) {
  const { t } = useTranslation();
  return (
    <ul>
      {findings.map((finding) => (
        <li key={`${finding.node ?? ''}${finding.field ?? ''}${finding.message}`}>
          {finding.node === undefined
            ? finding.message
            : t('pipelines.atNode', { node: finding.node, message: finding.message })}
        </li>
      ))}
    </ul>
  );
}
