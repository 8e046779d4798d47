import { join } from 'node:path';
import type { EdgeFleet, HubFleet } from '#common/contract/fleet.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { makeIssuedCertificate } from '#common/node/own-certificate.ts';
import { makePair } from '#common/node/fleet/raw-keys.ts';
import type { Services } from '../admin-api/call.ts';
import { withoutGateway } from '../admin-api/without-gateway.ts';
import { namesToProve, thisMachine } from '../tls/machine-names.ts';
import type { FleetKeys } from '../vault/fleet-secrets.ts';
import { isHub } from '../vault/fleet-secrets.ts';
import type { Vault } from '../contracts.ts';
import { Agent } from './agent.ts';
import { Applier } from './apply.ts';
import { EdgeState } from './edge-state.ts';
import { Hub } from './hub.ts';
import { type HubSecret, HubState } from './hub-state.ts';
import { chainOf, serverConfig } from './nats/config.ts';
import { openHubTransport } from './nats/hub-transport.ts';
import { issuerOf, makeJwt, nkeyOf, userClaims } from './nats/jwt.ts';
import { connectNats } from './nats/nats-transport.ts';
import { expectVersion, findServer, NatsServer, type ServerFiles } from './nats-server.ts';
import { verifyServer } from './nats/verify-server.ts';

/** The part of the host that a hub or an edge has, and no other machine loads. */
export interface Fleet {
  /** Null on an edge. */
  hub: Hub | null;
  status(): HubFleet | EdgeFleet;
  close(): Promise<void>;
}

export interface FleetParts {
  vault: Vault;
  dataDir: string;
  services: Services;
  fleetKeys: FleetKeys;
  /** Resolves when the gateway serves. */
  gatewayReady: Promise<void>;
  log: Logger;
}

/** The vault is that of a hub or an edge. */
export function startFleet(parts: FleetParts): Promise<Fleet> {
  return parts.vault.read(isHub) ? startHub(parts) : Promise.resolve(startEdge(parts));
}

const READY_MS_MAX = 15_000;

/** Throws SluiceError with one sentence if nats-server is missing, too old, or does not flush. */
async function startHub({ vault, dataDir, services, log }: FleetParts): Promise<Fleet> {
  const state = new HubState(vault);
  const { program: given, port, host, authority, nats } = state.secret();
  const program = findServer(given);
  await expectVersion(program);
  const folder = join(dataDir, 'nats');
  const server = new NatsServer(program, folder, log);
  await server.start(await filesOf(state.secret(), folder));
  const local = { server: `${loopbackOf(host)}:${port}`, authority: authority.certificate, log };
  const connection = connectNats({ ...local, user: hubUser(state.secret()) });
  try {
    await inTime(connection.first);
    const version = await verifyServer(local, nats);
    log.info('nats-server runs', { version, port });
    const transport = await openHubTransport(connection);
    const onExpelled = () => server.restart(() => filesOf(state.secret(), folder));
    const hub = new Hub({ vault, services, transport, onExpelled, log });
    await hub.start();
    const close = async () => {
      hub.close();
      await connection.close();
      await server.stop();
    };
    return { hub, status: () => hub.status(), close };
  } catch (error) {
    await connection.close();
    await server.stop();
    throw error;
  }
}

async function filesOf(secret: HubSecret, folder: string): Promise<ServerFiles> {
  const { authority, address, host, port, nats, expelled } = secret;
  const here = thisMachine();
  const { hostname } = new URL(`tls://${address}`);
  const names = namesToProve({ baseUrl: hostname }, here);
  const made = await makeIssuedCertificate(authority, here.machine, names, Date.now());
  return {
    config: serverConfig({ folder, host, port }, nats, expelled, Date.now()),
    certificate: chainOf(made, authority),
    key: made.key,
  };
}

function hubUser({ nats }: HubSecret) {
  const pair = makePair('Ed25519');
  const claims = userClaims('hub', nkeyOf('user', pair), { pub: ['>'], sub: ['>'] });
  // In capitals: the inbox of no edge.
  return { name: 'HUB', pair, jwt: makeJwt(issuerOf('account', nats.account), claims, Date.now()) };
}

function loopbackOf(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host;
}

async function inTime(connected: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new SluiceError(
          'conflict',
          'nats-server does not answer; nats/nats-server.log in the data folder has the cause.',
        ),
      ),
    READY_MS_MAX,
  );
  try {
    await Promise.race([connected, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function startEdge({ vault, services, fleetKeys, gatewayReady, log }: FleetParts): Fleet {
  const state = new EdgeState(vault);
  const { address, authority, edge, jwt, nkey } = state.read();
  const transport = connectNats({ server: address, authority, user: { name: edge, jwt, pair: nkey }, log });
  const agent = new Agent({
    state,
    applier: new Applier(services, state),
    transport,
    refuseKeys: async (on) => {
      // Also for the snapshot of the next gateway.
      fleetKeys.refused = on;
      await withoutGateway(() => services.gateway.change({ kind: 'refuse-fleet-keys', on }));
    },
    log,
  });
  // Without a gateway, the host ends.
  void gatewayReady.then(
    () => agent.start(),
    () => {},
  );
  const close = async () => void (await Promise.all([agent.close(), transport.close()]));
  return { hub: null, status: () => agent.status(), close };
}
