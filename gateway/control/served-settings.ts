import { X509Certificate } from 'node:crypto';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PlantClock } from '#common/limits/plant-clock.ts';
import { type Settings, unservedSettings } from '#common/model/settings.ts';
import { AddressSet } from '../gates/address.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import { healthPaths } from '../http/health-paths.ts';

/** Fails closed: the gateway never serves with other settings than requested. */
export function refuseUnserved(settings: Settings): void {
  const errors = unservedSettings(settings, process.platform);
  if (errors.length === 0) return;
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

/** Only the listener needs the TLS key. Other code in this process runs pipelines of users. */
export function withoutTlsKey(settings: Settings): Settings {
  return { ...settings, tlsKey: null };
}

/** The settings as requests use them. `settings` is without the TLS key. */
export function settingsInForce(
  settings: Settings,
  machineName: string,
): Pick<GatewayContext, 'settings' | 'trustedProxies' | 'ownNames' | 'health' | 'clock' | 'certificateEnd'> {
  return {
    settings,
    trustedProxies: new AddressSet(settings.trustedProxies),
    ownNames: ownNames(settings, machineName),
    health: healthPaths(settings),
    clock: new PlantClock(settings.timeZone),
    certificateEnd: certificateEnd(settings),
  };
}

/** Of the first certificate, that of the gateway itself. An unusable one is refused by the listener. */
function certificateEnd({ tls, tlsCertificate }: Settings): string | null {
  if (tls === 'off' || tlsCertificate === null) return null;
  try {
    return new X509Certificate(tlsCertificate).validToDate.toISOString();
  } catch {
    return null;
  }
}

function ownNames(settings: Settings, machineName: string): ReadonlySet<string> {
  const base = settings.baseUrl.replace(/^https?:\/\//, '').toLowerCase();
  return new Set(['localhost', machineName.toLowerCase(), base]);
}
