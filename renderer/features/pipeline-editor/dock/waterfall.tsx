import { useTranslation } from 'react-i18next';
import type { RunRecord } from '#common/model/records.ts';
import { Shape } from '#ui/shape.tsx';
import { useEditor } from '../editor-context.tsx';
import { nameOf } from '../model/draft.ts';
import { msText } from './run-words.ts';

/** The nodes of a run on one time axis. */
export function Waterfall({
  run,
  chosen,
  onChoose,
}: {
  run: RunRecord;
  chosen: number;
  onChoose: (step: number) => void;
}) {
  const { t, i18n } = useTranslation();
  const draft = useEditor((state) => state.draft);
  const whole = Math.max(1, run.durationMs * 1_000, ...run.steps.map((step) => step.startedUs + step.durationUs));
  return (
    <ol className="waterfall" aria-label={t('editorDock.run.nodes')}>
      {run.steps.map(({ node, startedUs, durationUs, error }, index) => (
        // A run can pass the same node more than once: its position in the run is the key.
        <li key={index}>
          <button
            type="button"
            className={error === undefined ? 'line-button' : 'line-button failed'}
            aria-pressed={index === chosen}
            onClick={() => onChoose(index)}
          >
            <span className="cut">
              {error && <Shape name="alarm" small label={t('editorDock.run.failed')} />} {nameOf(draft, node)}
            </span>
            <span className="track" aria-hidden="true">
              <i style={{ left: `${(startedUs / whole) * 100}%`, width: `${(durationUs / whole) * 100}%` }} />
            </span>
            <span className="figure">{t('editorDock.run.ms', { ms: msText(durationUs / 1_000, i18n.language) })}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
