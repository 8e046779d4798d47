import type { TFunction } from 'i18next';
import type { RunRecord } from '#common/model/records.ts';
import type { ShapeName } from '#ui/shape.tsx';

const LEAST_MS = 0.1;

/** Milliseconds for display: 0.3, 24.6, 1,204. */
export function msText(ms: number, locale: string): string {
  if (ms < LEAST_MS) return `< ${LEAST_MS.toLocaleString(locale)}`;
  const digits = ms < 100 ? 1 : 0;
  return ms.toLocaleString(locale, { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

export function outcomeShape({ outcome, status }: RunRecord): ShapeName {
  if (outcome === 'failed' || outcome === 'timeout') return 'alarm';
  if (outcome === 'cancelled') return 'stopped';
  return status !== null && status >= 500 ? 'alarm' : 'passed';
}

/** "201", or the outcome of a run without a reply. */
export function outcomeText(t: TFunction, { outcome, status }: RunRecord): string {
  const word = t(`editorDock.run.${outcome}`);
  return status === null ? word : outcome === 'replied' ? String(status) : `${word}, ${status}`;
}

export function callerText(t: TFunction, { caller, route, test }: RunRecord): string {
  if (test) return t('editorDock.run.test');
  if (caller !== null) return caller.name;
  return route === null ? t('editorDock.run.trigger') : t('editorDock.run.public');
}
