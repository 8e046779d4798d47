import { alarms } from './alarms.ts';
import { phrases } from './phrases.ts';
import { acts } from './ui/acts.ts';
import { alarmPages, alarmTitle } from './ui/alarm-titles.ts';
import { editor } from './ui/editor.ts';
import { editorDock } from './ui/editor-dock.ts';
import { editorForm } from './ui/editor-form.ts';
import { editorKinds } from './ui/editor-kinds.ts';
import { egressMany } from './ui/egress-many.ts';
import { fleet } from './ui/fleet.ts';
import { gatewayPage } from './ui/gateway-page.ts';
import { journalPage } from './ui/journal-page.ts';
import { keyLimits } from './ui/key-limits.ts';
import { pipelineList } from './ui/pipeline-list.ts';
import { projectApply } from './ui/project-apply.ts';
import { queries } from './ui/queries.ts';
import { scripts } from './ui/scripts.ts';
import { search } from './ui/search.ts';
import { setupPage } from './ui/setup-page.ts';
import { templates } from './ui/templates.ts';
import { tokens } from './ui/tokens.ts';
import { writeLimits } from './ui/write-limits.ts';
import { writeStop } from './ui/write-stop.ts';

/**
 * Texts that the admin UI loads after its first download; `ui` has their types. Other languages load them with the
 * first download.
 */
export const later = {
  acts,
  alarms: alarmPages,
  alarmText: alarms,
  alarmTitle,
  editor,
  editorDock,
  editorForm,
  editorKinds,
  egressMany,
  fleet,
  gatewayPage,
  journalPage,
  keyLimits,
  phrase: phrases,
  pipelineList,
  projectApply,
  queries,
  scripts,
  search,
  setupPage,
  templates,
  tokens,
  writeLimits,
  writeStop,
};
