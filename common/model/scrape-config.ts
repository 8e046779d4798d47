import type { Settings } from './settings.ts';

export interface ScrapeTarget {
  settings: Pick<Settings, 'baseUrl' | 'tls'>;
  metricsHost: string;
  /** Null: metrics are available only on the port of the UI. */
  metricsPort: number | null;
  /** Host and port of this page, such as `127.0.0.1:8091`. */
  uiHost: string;
  /** Null if the page does not know it; a placeholder is used instead. */
  token: string | null;
}

const TOKEN_PLACEHOLDER = '<metrics token>';
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** The content of prometheus.yml. */
export function scrapeConfig(target: ScrapeTarget): string {
  const { settings, metricsPort, uiHost, token } = target;
  const isSecure = metricsPort !== null && settings.tls !== 'off';
  return [
    'scrape_configs:',
    '  - job_name: sluice',
    ...(isSecure ? ['    scheme: https', '    tls_config:', '      ca_file: sluice.pem'] : []),
    '    authorization:',
    `      credentials: ${JSON.stringify(token ?? TOKEN_PLACEHOLDER)}`,
    '    static_configs:',
    `      - targets: [${JSON.stringify(metricsPort === null ? uiHost : `${hostOf(target)}:${metricsPort}`)}]`,
    '',
  ].join('\n');
}

/** The address that callers use, if there are several. */
function hostOf({ settings, metricsHost }: ScrapeTarget): string {
  if (EVERY_ADDRESS.includes(metricsHost)) return settings.baseUrl.replace(/^https?:\/\//, '');
  return metricsHost.includes(':') ? `[${metricsHost}]` : metricsHost;
}
