import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { mqttConnection, mqttTag } from '../mqtt/mqtt-tag.testing.ts';
import { DeviceDrivers } from './device-drivers.ts';

/** A process whose device thread hangs; ends on request. Run by device-drivers.test.ts. */
const log = createLogger('test', () => undefined);
const driversUrl = new URL('./hostile-drivers.testing.ts', import.meta.url).href;
const drivers = new DeviceDrivers({ dataDir: '/nonexistent', log, allowed: [], driversUrl });
const tag = mqttTag('a', { topic: 'a' });
let known = false;
const sink = {
  lost: () => undefined,
  sample() {
    if (known) return;
    known = true;
    provider?.write(tag, 'hang', AbortSignal.timeout(600_000)).catch(() => undefined);
    setTimeout(() => process.send?.('hangs'), 300);
  },
};
const parts = { project: 'p', sink, log, guard: new TargetGuard([]), dataDir: '/nonexistent' };
const provider = drivers.providers.mqtt?.(mqttConnection(1), parts);
provider?.configure([tag]);
process.on('message', () => process.exit(0));
