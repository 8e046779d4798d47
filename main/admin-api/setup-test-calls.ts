import { hostname } from 'node:os';
import type { z } from 'zod';
import type { asked } from '#common/contract/setup-test.ts';
import { setupTestContract } from '#common/contract/setup-test.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { createSerialQueue, type SerialQueue } from '#common/serial-queue.ts';
import { isLoopback, testAddress } from './address-test.ts';
import { defineCall, type Services } from './call.ts';
import { testPort } from './port-test.ts';

/**
 * Tests addresses and ports before they are saved as settings. Nothing is changed and no other machine is called.
 *
 * Limits: one test at a time, because two would consider each other's ports as in use; `WAITING_MAX` wait.
 */
const WAITING_MAX = 4;
const UI_HOST = '127.0.0.1';

const turns = new WeakMap<object, SerialQueue>();

export const setupTestCalls = [
  defineCall(setupTestContract.test, {
    async handle(services, context) {
      const findings = await turnsOf(services).take(() => test(services, context.body));
      return { machine: hostname(), findings };
    },
  }),
];

function turnsOf({ settings }: Services): SerialQueue {
  const known = turns.get(settings);
  if (known) return known;
  const made = createSerialQueue(
    WAITING_MAX,
    () => new SluiceError('overloaded', 'Too many tests wait already; try again in a moment.'),
  );
  turns.set(settings, made);
  return made;
}

async function test(services: Services, given: z.infer<typeof asked>): Promise<SetupFinding[]> {
  const current = services.settings.current();
  const ports = {
    gateway: given.gatewayPort ?? portNow(current.gatewayPort, services.gateway.port),
    ui: given.uiPort ?? portNow(current.uiPort, services.uiPort()),
  };
  const host = given.gatewayHost ?? current.gatewayHost;
  // A port that Sluice has on another address is a different one.
  const served = host === current.gatewayHost ? services.gateway.port : null;
  const findings: SetupFinding[] = [await testAddress(hostOf(given.baseUrl ?? current.baseUrl))];
  // If both ports are equal, the one that is not served yet is invalid.
  const uiServed = services.uiPort();
  const uiStays = ports.ui === uiServed;
  const other = { gateway: uiStays ? ports.ui : null, ui: uiStays ? null : ports.gateway };
  const leaving = isInOwnWay(host, ports.gateway, services) ? services.gateway.pid : null;
  const gateway = { host, port: ports.gateway, served, leaving, other: other.gateway };
  findings.push(await testPort({ check: 'gatewayPort', ...gateway }));
  findings.push(await testPort({ check: 'uiPort', host: UI_HOST, port: ports.ui, served: uiServed, other: other.ui }));
  return [...findings, reach(host, ports.gateway)];
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Whether the gateway has this port on every address, or is to get it on every one and has it on one. */
function isInOwnWay(host: string, port: number, { gateway, settings }: Services): boolean {
  const { gatewayHost } = settings.current();
  const isMoved = host !== gatewayHost && [host, gatewayHost].some((one) => EVERY_ADDRESS.includes(one));
  return isMoved && port === gateway.port;
}

/** For a setting "any free port", the one that was found. */
function portNow(setting: Settings['uiPort'], running: number | null): number {
  return setting === 0 ? (running ?? 0) : setting;
}

/** Whether other machines can reach this address. */
function reach(host: string, port: number): SetupFinding {
  if (isLoopback(host)) return { check: 'listening', ok: null, code: 'loopback', values: { host } };
  return { check: 'firewall', ok: null, code: 'unknown', values: { port } };
}

function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
