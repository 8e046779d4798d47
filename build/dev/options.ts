import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '#test/free-port.ts';
import { ROOT } from '../package/places.ts';

export interface DevOptions {
  /** The folder for data, the password of the development user and the compile cache; it is kept between runs. */
  folder: string;
  /** The port of the pages with hot reload. */
  uiPort: number;
  gatewayPort: number;
  /** The port of the host's own admin API, which the server of the pages calls. */
  hostPort: number;
  /** A debugger may attach to the gateway. */
  inspect: boolean;
}

export const HELP = `npm run dev -- [options]
  --folder DIR       where data and log-in are kept (data/dev)
  --ui-port N        port of the admin UI with hot reload (5173)
  --gateway-port N   port of the published routes (8090)
  --inspect          let a debugger attach to the gateway, at 127.0.0.1:9229`;

/** Throws an error that names the option if it does not exist or is not a port. */
export async function readOptions(args: readonly string[]): Promise<DevOptions> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: 'string', default: join(ROOT, 'data', 'dev') },
      'ui-port': { type: 'string', default: '5173' },
      'gateway-port': { type: 'string', default: '8090' },
      inspect: { type: 'boolean', default: false },
    },
  });
  return {
    folder: resolve(values.folder),
    uiPort: port('--ui-port', values['ui-port']),
    gatewayPort: port('--gateway-port', values['gateway-port']),
    hostPort: await freePort(),
    inspect: values.inspect,
  };
}

function port(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new Error(`${flag} is "${text}"; expected a port from 1 to 65535`);
}
