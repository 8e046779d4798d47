import { useTranslation } from 'react-i18next';
import type { RouteRecord } from '#common/model/route-record.ts';
import { bytesText, numberText } from '#ui/quantity.ts';

export interface ControlWords {
  name: 'key' | 'scopes' | 'source' | 'rate' | 'body' | 'browser' | 'headers' | 'timeout';
  text: string;
}

/** The checks between a caller and the route, each as a sentence. */
export function useControlWords(route: RouteRecord): ControlWords[] {
  const { t, i18n } = useTranslation();
  const { authType, requiredScopes, allowedIps, rateLimit, burstLimit, corsEnabled, allowedOrigins } = route;
  const number = (value: number) => numberText(value, i18n.language, 2);
  const isPublic = authType === 'none';
  const browser = allowedOrigins.includes('*')
    ? t('routes.words.corsAny')
    : t('routes.words.cors', { origins: allowedOrigins.join(', ') });
  const scopes: ControlWords = { name: 'scopes', text: requiredScopes.join(', ') || t('routes.words.noScopes') };
  return [
    { name: 'key', text: isPublic ? t('routes.words.public') : t('routes.words.key', { project: route.project }) },
    ...(isPublic ? [] : [scopes]),
    {
      name: 'source',
      text:
        allowedIps === null
          ? t('routes.words.anyAddress')
          : t('routes.words.addresses', { ranges: allowedIps.join(', ') }),
    },
    {
      name: 'rate',
      text:
        rateLimit === 0
          ? t('routes.words.noRate')
          : t('routes.words.rate', { rate: number(rateLimit), burst: number(burstLimit) }),
    },
    { name: 'body', text: t('routes.words.body', { size: bytesText(route.maxPayloadSize, i18n.language) }) },
    { name: 'browser', text: corsEnabled ? browser : t('routes.words.corsOff') },
    { name: 'headers', text: route.headerWhitelist.join(', ') || t('routes.words.noHeaders') },
    { name: 'timeout', text: t('routes.words.timeout', { seconds: number(route.timeout) }) },
  ];
}
