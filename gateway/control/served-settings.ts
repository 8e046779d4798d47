import { SluiceError } from '#common/errors/catalogue.ts';
import { type Settings, unservedSettings } from '#common/model/settings.ts';

/** Fails closed: nothing is served otherwise than it was asked for. */
export function refuseUnserved(settings: Settings): void {
  const errors = unservedSettings(settings, process.platform);
  if (errors.length === 0) return;
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

/** Only the listener needs the key. Other code in this process runs pipelines of users. */
export function withoutTlsKey(settings: Settings): Settings {
  return { ...settings, tlsKey: null };
}

export function ownNames(settings: Settings, machineName: string): ReadonlySet<string> {
  const base = settings.baseUrl.replace(/^https?:\/\//, '').toLowerCase();
  return new Set(['localhost', machineName.toLowerCase(), base]);
}
