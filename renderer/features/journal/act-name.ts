import type { TFunction } from 'i18next';

/** The name of an audited action, such as "Key created" for `key.create`; the action itself if it has none. */
export function actName(t: TFunction, act: string): string {
  const special = t(`acts.special.${act}`, { defaultValue: '' });
  if (special !== '') return special;
  const [object = '', verb = ''] = act.split('.');
  const parts = [t(`acts.objects.${object}`, { defaultValue: '' }), t(`acts.verbs.${verb}`, { defaultValue: '' })];
  return parts.includes('') ? act : parts.join(' ');
}
