import { useTranslation } from 'react-i18next';
import { usePermission } from '#api/session.ts';
import { useJournalUsage, type ShownSettings } from '#api/settings-queries.ts';
import { bytesText, numberText } from '#ui/quantity.ts';
import { readTyped } from '#ui/form/typed-values.ts';
import { FIELDS } from './setting-form.ts';
import { journalNeed, shownText, type Draft } from './setting-changes.ts';

/**
 * The size of the journal for the typed number of days at today's rate. Empty for users who may not see the journal.
 */
export function JournalFigure({ settings, draft }: { settings: ShownSettings; draft: Draft }) {
  const { t, i18n } = useTranslation();
  const usage = useJournalUsage(usePermission('view_audit')).data;
  const days = numberIn('journalDays', settings, draft);
  const bytesMax = numberIn('journalMaxBytes', settings, draft);
  if (usage === undefined || days === null || bytesMax === null) return null;
  const size = (bytes: number) => bytesText(Math.round(bytes), i18n.language);
  const need = journalNeed(days, usage.bytesPerDay, bytesMax);
  return (
    <p className="t2 whole">
      {t('gatewayPage.usage', {
        bytes: size(usage.bytes),
        perDay: size(usage.bytesPerDay),
        days: numberText(days, i18n.language),
        need: size(need.bytes),
      })}{' '}
      {need.bytes > bytesMax && <b>{t('gatewayPage.usageFits', { days: numberText(need.daysFit, i18n.language) })}</b>}
    </p>
  );
}

function numberIn(name: 'journalDays' | 'journalMaxBytes', settings: ShownSettings, draft: Draft): number | null {
  const field = FIELDS.find((one) => one.name === name);
  const value = field && readTyped(field, shownText(settings, draft, name));
  return typeof value === 'number' ? value : null;
}
