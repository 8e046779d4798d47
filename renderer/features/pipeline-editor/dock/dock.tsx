import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { DockTab } from '../model/store.ts';
import { ChangesPane } from './changes-pane.tsx';
import './dock.css';
import { ProblemsPane } from './problems-pane.tsx';
import { ScopeStrip } from './scope-strip.tsx';
import { useProblemKeys, useProblems } from './use-problems.ts';
import { ResizeHandle } from './resize-handle.tsx';
import { RunsPane } from './runs-pane.tsx';
import { TabList } from './tab-list.tsx';
import { TestPane } from './test-pane.tsx';
import { useTestForm } from './use-test-form.ts';
import { TABS, useDockHeight, useKeptTab } from './use-kept-dock.ts';

/** Problems, Test, Runs, Changes. */
export function Dock() {
  const { t } = useTranslation();
  const tab = useEditor((state) => state.dock);
  const open = useEditor((state) => state.dockOpen);
  const wide = useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false });
  const { height, resize } = useDockHeight(tab, wide);
  const problems = useProblems();
  const form = useTestForm();
  const [current, setCurrent] = useState(-1);
  useKeptTab();
  useProblemKeys(problems, current, setCurrent);
  return (
    <section
      className="editor-dock"
      data-region="dock"
      aria-label={t('editorDock.dock.label')}
      style={open ? { height } : undefined}
    >
      <header>
        <Tabs tab={tab} open={open} problems={problems.length} />
        <span className="grow" />
        {(wide || tab === 'problems') && <ScopeStrip />}
        {open && <ResizeHandle height={height} onResize={resize} />}
        <OpenButton open={open} tab={tab} />
      </header>
      {open && (
        <div className="dock-body" role="tabpanel" id={PANEL} aria-labelledby={`${PANEL}-${tab}`}>
          {tab === 'problems' && (
            <ProblemsPane problems={problems} current={current} onCurrent={setCurrent} withRun={wide} form={form} />
          )}
          {tab === 'test' && <TestPane form={form} />}
          {tab === 'runs' && <RunsPane form={form} />}
          {tab === 'changes' && <ChangesPane />}
        </div>
      )}
    </section>
  );
}

const PANEL = 'editor-dock-panel';

function Tabs({ tab, open, problems }: { tab: DockTab; open: boolean; problems: number }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const changes = useEditor((state) => state.history.past.length);
  const counts: Record<DockTab, number> = { problems, test: 0, runs: 0, changes };
  return (
    <TabList
      label={t('editorDock.dock.label')}
      tabs={TABS.map((name) => ({ name, label: t(`editorDock.dock.${name}`), count: counts[name] }))}
      value={tab}
      id={PANEL}
      panel={open ? PANEL : null}
      onChange={(name) => store.openDock(name)}
      startsRegion
    />
  );
}

function OpenButton({ open, tab }: { open: boolean; tab: DockTab }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  return (
    <Button
      variant="subtle"
      className={`square ${open ? '' : 'turned'}`}
      aria-label={open ? t('editorDock.dock.close') : t('editorDock.dock.open')}
      aria-expanded={open}
      onClick={() => (open ? store.closeDock() : store.openDock(tab))}
    >
      <Icon name="down" />
    </Button>
  );
}
