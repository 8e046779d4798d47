import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRuns } from '#api/pipeline-queries.ts';
import type { RunRecord } from '#common/model/records.ts';
import { preciseTime } from '#ui/format.ts';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { Empty } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { TestForm } from './use-test-form.ts';
import { RunView } from './run-view.tsx';
import { callerText, msText, outcomeShape, outcomeText } from './run-words.ts';

const OUTCOMES = ['replied', 'failed', 'timeout', 'cancelled', 'ended'] as const;

/** The last runs, newest first, and the steps of the selected one. */
export function RunsPane({ form }: { form: TestForm }) {
  const { t } = useTranslation();
  const { record, store } = useEditorContext();
  const chosen = useEditor((state) => state.run);
  const runs = useRuns(record.project, record.id, true);
  const [held, setHeld] = useState<readonly RunRecord[] | null>(null);
  const all = held ?? runs.data ?? [];
  const run = all.find(({ id }) => id === chosen) ?? runs.data?.find(({ id }) => id === chosen) ?? null;
  const newer = held === null ? 0 : (runs.data ?? []).filter(({ id }) => held.every((one) => one.id !== id)).length;
  const choose = (id: string) => store.showRun(id === chosen ? null : id);
  return (
    <>
      <div className="dock-pane runs-pane">
        {runs.isError && <Note kind="warning">{t('editorDock.run.away')}</Note>}
        {runs.data && (
          <RunList runs={all} chosen={chosen} onChoose={choose} onHold={hold} newer={newer} held={held !== null} />
        )}
      </div>
      <RunView run={run} form={form} />
    </>
  );
  function hold() {
    setHeld((before) => (before === null ? (runs.data ?? []) : null));
  }
}

interface ListProps {
  runs: readonly RunRecord[];
  chosen: string | null;
  held: boolean;
  /** Runs that arrived since the list was paused. */
  newer: number;
  onChoose: (id: string) => void;
  onHold: () => void;
}

function RunList({ runs, chosen, held, newer, onChoose, onHold }: ListProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState('');
  const [caller, setCaller] = useState('');
  const callers = useMemo(() => [...new Set(runs.map((run) => callerText(t, run)))], [runs, t]);
  const fitting = runs.filter(
    (run) => (outcome === '' || run.outcome === outcome) && (caller === '' || callerText(t, run) === caller),
  );
  if (runs.length === 0) return <Empty title={t('editorDock.run.none')} help={t('editorDock.run.noneHelp')} />;
  return (
    <>
      <div className="run-filter">
        <NativeSelect
          label={t('editorDock.run.outcome')}
          value={outcome}
          onChange={setOutcome}
          options={[
            { value: '', label: t('editorDock.run.anyOutcome') },
            ...OUTCOMES.map((value) => ({ value, label: t(`editorDock.run.${value}`) })),
          ]}
        />
        <NativeSelect
          label={t('editorDock.run.caller')}
          value={caller}
          onChange={setCaller}
          options={[
            { value: '', label: t('editorDock.run.anyCaller') },
            ...callers.map((value) => ({ value, label: value })),
          ]}
        />
        <Button aria-pressed={held} onClick={onHold}>
          {held ? t('editorDock.run.resume') : t('editorDock.run.pause')}
        </Button>
        {held && <span className="t2">{t('editorDock.run.paused', { count: newer })}</span>}
      </div>
      {fitting.length === 0 && <p className="pad t2">{t('editorDock.run.noMatch')}</p>}
      <ul className="run-list" aria-label={t('editorDock.run.list')}>
        {fitting.map((run) => (
          <RunRow key={run.id} run={run} chosen={run.id === chosen} onChoose={() => onChoose(run.id)} />
        ))}
      </ul>
    </>
  );
}

function RunRow({ run, chosen, onChoose }: { run: RunRecord; chosen: boolean; onChoose: () => void }) {
  const { t, i18n } = useTranslation();
  return (
    <li>
      <button type="button" className="line-button" aria-pressed={chosen} onClick={onChoose}>
        <Shape name={outcomeShape(run)} small />
        <span className="mono">{preciseTime(new Date(run.startedAt))}</span>
        <span className="cut">{outcomeText(t, run)}</span>
        <span className="cut t2">{callerText(t, run)}</span>
        <span className="figure">{t('editorDock.run.ms', { ms: msText(run.durationMs, i18n.language) })}</span>
      </button>
    </li>
  );
}
