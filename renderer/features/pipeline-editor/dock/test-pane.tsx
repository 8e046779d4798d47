import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '#ui/panel.tsx';
import { useEditorContext } from '../editor-context.tsx';
import { RequestForm } from './request-form.tsx';
import { ResultPart } from './result-part.tsx';
import { TestBar } from './test-bar.tsx';
import type { TestForm } from './use-test-form.ts';

/** A real request to the draft, its result, and the saved tests. */
export function TestPane({ form }: { form: TestForm }) {
  const { t } = useTranslation();
  const { mayRun } = useEditorContext();
  const { run, entry, request } = form;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isRun = (event.ctrlKey || event.metaKey) && event.key === 'Enter' && !event.shiftKey;
      if (!isRun || !mayRun || event.repeat || document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      void run();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [run, mayRun]);
  if (!mayRun) return <p className="dock-pane grow pad t2">{t('editorDock.testing.onlyRun')}</p>;
  if (entry === null || request === null)
    return <Empty title={t('editorDock.testing.none')} help={t('editorDock.testing.noneHelp')} />;
  return (
    <div className="test-pane">
      <TestBar form={form} entry={entry} />
      <div className="test-parts">
        <div className="dock-pane request-pane">
          <RequestForm form={form} entry={entry} request={request} />
        </div>
        <div className="dock-pane result-pane">
          <ResultPart form={form} entry={entry} />
        </div>
      </div>
    </div>
  );
}
