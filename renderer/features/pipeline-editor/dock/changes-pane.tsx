import { useTranslation } from 'react-i18next';
import { clockTime } from '#ui/format.ts';
import { useEditor } from '../editor-context.tsx';
import { useStepText } from '../head/use-step-text.ts';
import type { Step } from '../model/history.ts';
import { RevisionTable } from './revision-table.tsx';

/** The steps of this session, and the stored revisions. */
export function ChangesPane() {
  return (
    <>
      <div className="dock-pane session-pane">
        <Session />
      </div>
      <div className="dock-pane grow">
        <RevisionTable />
      </div>
    </>
  );
}

function Session() {
  const { t } = useTranslation();
  const { past, future } = useEditor((state) => state.history);
  return (
    <>
      <h3 className="pad">{t('editorDock.history.session')}</h3>
      {past.length + future.length === 0 && <p className="pad t2">{t('editorDock.history.none')}</p>}
      <ol className="session-steps">
        {future.toReversed().map((step, index) => (
          <StepLine key={index} step={step} undone />
        ))}
        {past.toReversed().map((step, index) => (
          <StepLine key={past.length - index} step={step} />
        ))}
      </ol>
    </>
  );
}

function StepLine({ step, undone = false }: { step: Step; undone?: boolean }) {
  const { t } = useTranslation();
  const text = useStepText()(step);
  return (
    <li className={undone ? 't3' : ''}>
      <span className="mono">{clockTime(step.intent.at)}</span>
      <span className="grow cut" title={text}>
        {text}
      </span>
      {undone && <span>{t('editorDock.history.undone')}</span>}
    </li>
  );
}
