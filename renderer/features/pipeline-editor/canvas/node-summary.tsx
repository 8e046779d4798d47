import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { durationText } from '#ui/quantity.ts';
import type { DraftNode } from '../model/draft.ts';
import { summaryOf, type Summary } from '../model/summary.ts';

/** A one-line summary of the node; for a missing kind, its stored ID. */
export function NodeSummary({ node, missing }: { node: DraftNode; missing: boolean }) {
  const { t } = useTranslation();
  const text = missing ? JSON.stringify(node.settings) : summaryText(t, summaryOf(node.kind, node.settings));
  return (
    <span className="flow-summary" title={text}>
      {text}
    </span>
  );
}

function summaryText(t: TFunction, summary: Summary): string {
  switch (summary.code) {
    case 'text':
      return summary.text;
    case 'more':
      return `${summary.text} +${summary.count}`;
    case 'seconds':
      return shortTime(summary.count);
    case 'every':
      return t('editor.summary.every', { time: shortTime(summary.count) });
    case 'none':
      return '–';
    default:
      return t(`editor.summary.${summary.code}`, { count: summary.count });
  }
}

/** Durations below a second are shown exactly. */
function shortTime(seconds: number): string {
  return seconds < 1 || !Number.isInteger(seconds) ? `${seconds} s` : durationText(seconds);
}
