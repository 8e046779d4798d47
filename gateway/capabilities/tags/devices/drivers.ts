import type { ConnectionTest } from '#common/control/messages.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import type { TagProvider } from '../contract.ts';
import { probeModbus } from '../modbus/probe.ts';
import { createModbusProvider } from '../modbus/provider.ts';
import { probeMqtt } from '../mqtt/probe.ts';
import { createMqttProvider } from '../mqtt/provider.ts';
import { probeOpcua } from '../opcua/probe.ts';
import { createOpcuaProvider } from '../opcua/provider.ts';
import type { DeviceParts } from '../providers.ts';
import type { AnyDevice } from './messages.ts';

/** The providers in the thread. */
export interface Drivers {
  open(device: AnyDevice, parts: DeviceParts): TagProvider;
  /** Connects once with the settings of the connection, and describes the peer that responded. */
  probe(device: AnyDevice, parts: { guard: TargetGuard; dataDir: string }): Promise<ConnectionTest>;
}

export const drivers: Drivers = {
  open(device, parts) {
    switch (device.kind) {
      case 'opcua':
        return createOpcuaProvider(device, parts);
      case 'modbus':
        return createModbusProvider(device, parts);
      case 'mqtt':
        return createMqttProvider(device, parts);
    }
  },
  probe(device, parts) {
    switch (device.kind) {
      case 'opcua':
        return probeOpcua(device, parts);
      case 'modbus':
        return probeModbus(device, parts);
      case 'mqtt':
        return probeMqtt(device, parts);
    }
  },
};
