import { useTranslation } from 'react-i18next';
import type { PluginRecord } from '#api/plugins-queries.ts';

/** The rights of an approved plugin as text; empty: it only computes. */
export function useAbilities({ capabilities, targets, trusted }: PluginRecord): string[] {
  const { t } = useTranslation();
  if (trusted) return [t('plugins.everything')];
  return [
    ...capabilities.map((scope) => t(`plugins.capability.${scope}`)),
    ...targets.map((target) => t('plugins.calls', { target })),
  ];
}
