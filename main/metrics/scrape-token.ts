import { equalSecrets } from '#common/node/equal-secrets.ts';

const BEARER = /^Bearer ([\x20-\x7e]{1,512})$/i;

export const METRICS_OFF =
  'Metrics are off. Set the metrics token to switch them on: Settings → Gateway → Metrics, or "metricsToken" in PATCH /api/v1/settings.';

export const SCRAPE_TOKEN_EXPECTED = 'Expected the header Authorization: Bearer with the metrics token.';

/** Whether the Authorization header has exactly this token. */
export function mayScrape(authorization: string | undefined, token: string): boolean {
  const given = BEARER.exec(authorization ?? '')?.[1];
  return given !== undefined && equalSecrets(given, token);
}
