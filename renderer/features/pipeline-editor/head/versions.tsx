import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsCurrent, useStatus } from '#api/queries.ts';
import { clockTime, longDate, shortDate, utcTime } from '#ui/format.ts';
import { useNow } from '#ui/now.ts';
import { ruleText } from '#api/rule-text.ts';
import { Shape, type ShapeName } from '#ui/shape.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { countOf, differenceOf } from '../model/difference.ts';

/** The running revision and the draft, side by side and never merged. */
export function Versions({ onCompare }: { onCompare: () => void }) {
  return (
    <div className="versions">
      <WhatRuns />
      <WhatIsDrawn onCompare={onCompare} />
    </div>
  );
}

interface StateText {
  shape: ShapeName;
  title: string;
  help: string;
  /** Entries that do not fit in the row. */
  more?: string;
}

function WhatRuns() {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { record } = useEditorContext();
  const gateway = useStatus().data?.gateway.state ?? 'running';
  const isCurrent = useIsCurrent();
  const { shape, title, help, more } = stateText();
  function stateText(): StateText {
    const { state, runningRevision, runningSince, triggerFaults } = record;
    if (state === 'failed')
      return { shape: 'alarm', title: t('editorDock.isFailed'), help: t('editorDock.isFailedHelp') };
    if (runningRevision === null)
      return { shape: 'stopped', title: t('editorDock.isStopped'), help: t('editorDock.isStoppedHelp') };
    const title = t('editorDock.runs', { revision: runningRevision });
    if (!isCurrent) return { shape: 'unknown', title, help: t('overviewPage.unknownNow') };
    // While the gateway is down, a started revision does not answer.
    if (gateway !== 'running')
      return { shape: gateway === 'dead' ? 'unknown' : 'starting', title, help: t(`bar.gateway.${gateway}`) };
    const [fault, ...others] = triggerFaults.map(
      ({ node, ...sentence }) => `${node}: ${ruleText(sentence, i18n).text}`,
    );
    if (fault !== undefined) return { shape: 'warning', title, help: fault, more: [fault, ...others].join('\n') };
    if (runningSince === null) return { shape: 'running', title, help: t('editorDock.runsSome') };
    return {
      shape: 'running',
      title,
      help: t('editorDock.runsSince', { time: minuteText(new Date(runningSince), now, i18n.language) }),
    };
  }
  const since = record.runningSince === null ? undefined : utcTime(new Date(record.runningSince));
  return (
    <div className={more === undefined ? 'version' : 'version reason'} title={more ?? since}>
      <Shape name={shape} />
      <span className="two nowrap">
        <b>{title}</b>
        <small className="cut">{help}</small>
      </span>
    </div>
  );
}

function WhatIsDrawn({ onCompare }: { onCompare: () => void }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { record, running, saving } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const count = useMemo(() => (running === null ? null : countOf(differenceOf(running, draft))), [running, draft]);
  const { revision } = saving.kind === 'saved' ? saving : record;
  return (
    <div className="version">
      <Shape name="starting" />
      <span className="two nowrap">
        <b>{title()}</b>
        <small>
          <output>{state()}</output>
          {running !== null && (
            <>
              {', '}
              <TextButton onClick={onCompare}>{t('editorDock.compare')}</TextButton>
            </>
          )}
        </small>
      </span>
    </div>
  );
  function title() {
    if (count === null) return t('editorDock.draft', { revision });
    return count === 0 ? t('editorDock.draftSame', { revision }) : t('editorDock.draftChanges', { revision, count });
  }
  function state() {
    if (saving.kind !== 'saved') return t(`editorDock.${saving.kind}`);
    const at = new Date(saving.at);
    const isToday = at.toDateString() === now.toDateString();
    return t('editorDock.saved', { time: isToday ? clockTime(at) : minuteText(at, now, i18n.language) });
  }
}

/** A time in minutes, with its day and year if they differ from those of `now`. */
export function minuteText(time: Date, now: Date, locale: string): string {
  const clock = clockTime(time).slice(0, 5);
  if (time.toDateString() === now.toDateString()) return clock;
  const day = time.getFullYear() === now.getFullYear() ? shortDate(time, locale) : longDate(time, locale);
  return `${day}, ${clock}`;
}
