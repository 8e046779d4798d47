import type { CertificateFacts } from '#common/model/certificate.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Alarms } from '../host/alarms.ts';

/** A certificate from a customer's authority may take weeks. */
export const TELL_DAYS_BEFORE = 30;
const DAY_MS = 86_400_000;

/** From 30 days before its end: every caller that checks certificates is refused after it. */
export function setCertificateAlarms(
  alarms: Alarms,
  tls: Settings['tls'],
  facts: CertificateFacts | null,
  nowMs: number,
): void {
  const served = tls === 'off' ? null : facts;
  const leftMs = served === null ? Infinity : Date.parse(served.notAfter) - nowMs;
  const date = served?.notAfter.slice(0, 10) ?? '';
  const details = {
    values: { date, days: Math.max(0, Math.floor(leftMs / DAY_MS)) },
    subject: served?.fingerprint ?? '',
  };
  alarms.set('certificate_ending', leftMs > 0 && leftMs <= TELL_DAYS_BEFORE * DAY_MS, details);
  alarms.set('certificate_ended', leftMs <= 0, details);
}
