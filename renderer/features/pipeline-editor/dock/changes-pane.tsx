import { useTranslation } from 'react-i18next';
import { clockTime } from '#ui/format.ts';
import { useEditor } from '../editor-context.tsx';
import { intentText } from '../head/intent-text.ts';
import type { Intent } from '../model/history.ts';
import { RevisionTable } from './revision-table.tsx';

/** The steps of this session, and the revisions that are kept. */
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
        {future.toReversed().map(({ intent }, index) => (
          <Step key={index} intent={intent} undone />
        ))}
        {past.toReversed().map(({ intent }, index) => (
          <Step key={past.length - index} intent={intent} />
        ))}
      </ol>
    </>
  );
}

function Step({ intent, undone = false }: { intent: Intent; undone?: boolean }) {
  const { t } = useTranslation();
  return (
    <li className={undone ? 't3' : ''}>
      <span className="mono">{clockTime(intent.at)}</span>
      <span className="grow cut">{intentText(t, intent)}</span>
      {undone && <span>{t('editorDock.history.undone')}</span>}
    </li>
  );
}
