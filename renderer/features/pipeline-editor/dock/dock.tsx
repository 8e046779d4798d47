import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { useNarrow } from '#ui/use-narrow.ts';
import { useEditor, useEditorStore } from '../editor-context.tsx';
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
import { useLinkedRun } from './use-linked-run.ts';
import { TABS, useDockHeight, useKeptTab } from './use-kept-dock.ts';

/** Problems, Test, Runs, Changes. It opens and closes only when a user asks for it: it never moves under the pointer. */
export function Dock() {
  const { t } = useTranslation();
  const tab = useEditor((state) => state.dock);
  const wide = useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false });
  const { height, resize } = useDockHeight(tab, wide);
  const problems = useProblems();
  const store = useEditorStore();
  const narrow = useNarrow();
  const isOpen = useEditor((state) => state.dockOpen) || narrow;
  const form = useTestForm();
  const [current, setCurrent] = useState(-1);
  useKeptTab();
  useLinkedRun();
  useProblemKeys(problems, current, setCurrent);
  return (
    <section
      className="editor-dock"
      data-region="dock"
      aria-label={t('editorDock.dock.label')}
      style={isOpen && !narrow ? { height } : undefined}
    >
      <header>
        <Tabs tab={tab} open={isOpen} problems={problems.length} onOpen={(next) => store.openDock(next)} />
        <span className="grow" />
        {(wide || tab === 'problems') && <ScopeStrip />}
        {isOpen && !narrow && <ResizeHandle height={height} onResize={resize} />}
        {!narrow && <OpenButton open={isOpen} onOpen={(open) => (open ? store.openDock(tab) : store.closeDock())} />}
      </header>
      {isOpen && (
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

interface TabsProps {
  tab: DockTab;
  open: boolean;
  problems: number;
  onOpen: (tab: DockTab) => void;
}

function Tabs({ tab, open, problems, onOpen }: TabsProps) {
  const { t } = useTranslation();
  const changes = useEditor((state) => state.history.past.length);
  const counts: Record<DockTab, number> = { problems, test: 0, runs: 0, changes };
  return (
    <TabList
      label={t('editorDock.dock.label')}
      tabs={TABS.map((name) => ({ name, label: t(`editorDock.dock.${name}`), count: counts[name] }))}
      value={tab}
      id={PANEL}
      panel={open ? PANEL : null}
      onChange={onOpen}
      startsRegion
    />
  );
}

function OpenButton({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="subtle"
      className={`square ${open ? '' : 'turned'}`}
      aria-label={open ? t('editorDock.dock.close') : t('editorDock.dock.open')}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
    >
      <Icon name="down" />
    </Button>
  );
}
