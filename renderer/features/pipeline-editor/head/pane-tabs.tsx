import { useTranslation } from 'react-i18next';
import { TabList } from '../dock/tab-list.tsx';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import type { Pane } from '../model/store.ts';

const PANES = ['canvas', 'settings', 'dock'] as const satisfies readonly Pane[];

/** On a narrow screen: one part of the editor at a time. */
export function PaneTabs() {
  const { t } = useTranslation();
  const store = useEditorStore();
  const pane = useEditor((state) => state.pane);
  return (
    <div className="editor-panes" data-region="panes">
      <TabList
        label={t('editor.panes.label')}
        tabs={PANES.map((name) => ({ name, label: t(`editor.panes.${name}`) }))}
        value={pane}
        id="editor-pane"
        panel={null}
        onChange={(next) => store.showPane(next)}
        startsRegion
      />
    </div>
  );
}
