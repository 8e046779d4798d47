import type { FieldError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import { chainFaults } from '../tls/read-chain.ts';
import { ruleBroken } from '#common/errors/rules.ts';

/** Conflicts between settings that are each valid alone. Empty: none. Never quotes a key. */
export function settingsConflicts(settings: Settings): FieldError[] {
  return [
    ...portConflicts(settings),
    ...metricsPortConflicts(settings),
    ...tlsConflicts(settings),
    ...healthConflicts(settings),
  ];
}

function portConflicts({ gatewayPort, uiPort, plainHttpPort, tls }: Settings): FieldError[] {
  const errors: FieldError[] = [];
  if (gatewayPort !== 0 && gatewayPort === uiPort) {
    errors.push(ruleBroken('uiPort', 'port_twice', { fields: 'gatewayPort' }));
  }
  if (plainHttpPort === null) return errors;
  if (tls === 'off')
    errors.push({ path: 'plainHttpPort', message: 'needs tls; without it gatewayPort is plain already' });
  if (plainHttpPort !== 0 && (plainHttpPort === gatewayPort || plainHttpPort === uiPort)) {
    errors.push({ path: 'plainHttpPort', message: 'is in use by gatewayPort or uiPort; expected another port' });
  }
  return errors;
}

function metricsPortConflicts({ metricsPort, gatewayPort, plainHttpPort, uiPort }: Settings): FieldError[] {
  if (!metricsPort || ![gatewayPort, plainHttpPort, uiPort].includes(metricsPort)) return [];
  return [ruleBroken('metricsPort', 'port_twice', { fields: 'gatewayPort, plainHttpPort or uiPort' })];
}

function tlsConflicts({ tls, tlsCertificate, tlsKey }: Settings): FieldError[] {
  if (tls !== 'custom') return [];
  if (tlsCertificate === null)
    return [{ path: 'tlsCertificate', message: 'is missing; expected a PEM certificate with tls "custom"' }];
  if (tlsKey === null) return [{ path: 'tlsKey', message: 'is missing; expected a PEM private key with tls "custom"' }];
  return chainFaults(tlsCertificate, tlsKey);
}

function healthConflicts({ healthLivePath, healthReadyPath }: Settings): FieldError[] {
  if (healthReadyPath === null || healthReadyPath !== healthLivePath) return [];
  return [{ path: 'healthReadyPath', message: 'is the same as healthLivePath; expected another path' }];
}
