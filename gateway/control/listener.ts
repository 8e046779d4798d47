import type { Settings } from '#common/model/settings.ts';
import { CoreDispatcher } from '../http/core-dispatcher.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import { ConnectionLimiter } from '../http/connection-limiter.ts';
import { createThreadedServer } from '../http/threads/threaded-server.ts';
import { createGatewayServer, type GatewayServer } from '../http/server.ts';
import {
  type ListenEndpoint,
  type EndpointPlan,
  endpointPlans,
  isSameIdentity,
  isSamePlan,
  listen,
  prepare,
} from './listen-endpoints.ts';

/** An endpoint to open: `port` 0: any free port. */
type NextDoor = EndpointPlan & { readonly port: number };
/** An endpoint with a server that is ready to listen. */
type ReadyDoor = NextDoor & Pick<ListenEndpoint, 'server'>;

/**
 * The ports of the gateway: one port and, with TLS, an additional plain one if it is set. The connection
 * limits count over both, and over connections of closing ports. A change opens new ports before it closes old ones. If
 * only the address, scheme or number of threads of a port changes, the port is closed first, once everything is ready
 * to listen on it again, and reopened as before if the new state fails. An unchanged port stays open; a new certificate
 * applies to its next connections.
 */
export class Listener {
  readonly #edge: GatewayContext;
  readonly #onThreadLost: (cause: unknown) => void;
  readonly #guests = new ConnectionLimiter();
  /** The desired ports from the start on; the open ports follow. */
  #plans: readonly EndpointPlan[];
  #doors: readonly ListenEndpoint[] = [];
  /** No longer listening, waiting for the last connection to end. */
  readonly #leaving = new Map<GatewayServer, Promise<void>>();

  /** Throws SluiceError `invalid` if TLS is enabled but cannot be used. */
  constructor(edge: GatewayContext, settings: Settings, onThreadLost: (cause: unknown) => void) {
    this.#edge = edge;
    this.#onThreadLost = onThreadLost;
    this.#plans = endpointPlans(settings);
  }

  get port(): number {
    return this.#portOf('gatewayPort') ?? 0;
  }

  /** Null: there is none. */
  get plainHttpPort(): number | null {
    return this.#portOf('plainHttpPort');
  }

  get connections(): number {
    return this.#guests.count;
  }

  /** Throws SluiceError `conflict` with a plain sentence if an address cannot be used. */
  async listen(): Promise<void> {
    this.#doors = await this.#swap(
      this.#plans.map((plan) => ({ ...plan, port: plan.wanted })),
      [],
    );
  }

  /** Whether `change` would have an effect. Throws like the constructor. */
  differs(settings: Settings): boolean {
    const plans = endpointPlans(settings);
    return (
      plans.length !== this.#plans.length ||
      !plans.every((plan, at) => isSamePlan(plan, this.#plans[at] as EndpointPlan))
    );
  }

  /** Throws like `listen` and the constructor; the state is then unchanged. */
  async change(settings: Settings): Promise<void> {
    const before = this.#plans;
    this.#plans = endpointPlans(settings);
    const next = this.#plans.map((plan) => this.#placed(plan));
    const stays = (door: ListenEndpoint) => next.some((one) => isSameDoor(door, one));
    const fresh = next.filter((one) => !this.#doors.some((door) => isSameDoor(door, one)));
    const gone = this.#doors.filter((door) => !stays(door));
    try {
      const opened = await this.#swap(fresh, gone);
      this.#doors = await Promise.all(
        next.map(async (one) => opened.find(({ setting }) => setting === one.setting) ?? this.#renewed(one)),
      );
    } catch (error) {
      this.#plans = before;
      throw error;
    }
  }

  async close(): Promise<void> {
    const doors = this.#doors.map(async ({ server }) => (await server.close()).gone);
    await Promise.all([...doors, ...this.#leaving.values()]);
  }

  destroy(): void {
    for (const { server } of this.#doors) void server.destroy();
    for (const server of this.#leaving.keys()) void server.destroy();
  }

  /** Opens and closes ports; returns the opened ones. */
  async #swap(fresh: readonly NextDoor[], gone: readonly ListenEndpoint[]): Promise<ListenEndpoint[]> {
    const inTheWay = gone.filter(({ port }) => fresh.some((one) => one.port === port));
    const waits = ({ port }: NextDoor) => inTheWay.some((door) => door.port === port);
    const ready = fresh.map((one) => ({ ...one, server: this.#serverOf(one) }));
    const opened: ListenEndpoint[] = [];
    const given: ListenEndpoint[] = [];
    try {
      await Promise.all(ready.map(({ server }) => prepare(server)));
      for (const one of ready) if (!waits(one)) opened.push(await open(one));
      for (const door of inTheWay) {
        await this.#leave(door);
        given.push(door);
      }
      for (const one of ready) if (waits(one)) opened.push(await open(one));
    } catch (error) {
      for (const door of opened) await this.#leave(door);
      // Destroyed before the former ports are restored: a thread that failed to open may still hold one of them.
      const unopened = ready.filter(({ server }) => !opened.some((door) => door.server === server));
      await Promise.all(unopened.map(({ server }) => server.destroy()));
      await this.#takeBack(given, error);
      throw error;
    }
    for (const door of gone) if (!given.includes(door)) await this.#leave(door);
    return opened;
  }

  /**
   * Never throws SluiceError: a gateway without an open port must not continue as if its change had only been refused.
   */
  async #takeBack(given: readonly ListenEndpoint[], change: unknown): Promise<void> {
    this.#doors = this.#doors.filter((door) => !given.includes(door));
    try {
      for (const door of given) this.#doors = [...this.#doors, await this.#openAgain(door)];
    } catch (error) {
      const [why, first] = [error, change].map((one) => (one instanceof Error ? one.message : String(one)));
      throw new Error(`${first}; what was given up for it cannot be had again: ${why}`, { cause: error });
    }
  }

  async #openAgain(door: ListenEndpoint): Promise<ListenEndpoint> {
    const ready = { ...door, server: this.#serverOf(door) };
    try {
      await ready.server.prepare();
      return await open(ready);
    } catch (error) {
      await ready.server.destroy();
      throw error;
    }
  }

  #serverOf({ identity, threads }: NextDoor): GatewayServer {
    const edge = this.#edge;
    const guests = this.#guests;
    if (threads === 0) return createGatewayServer(new CoreDispatcher(edge, guests), identity);
    return createThreadedServer({ edge, guests, identity, threads, onThreadLost: this.#onThreadLost });
  }

  /** Resolves when it no longer listens. */
  async #leave({ server }: ListenEndpoint): Promise<void> {
    const closed = server.close();
    this.#leaving.set(
      server,
      closed.then(({ gone }) => gone).then(() => void this.#leaving.delete(server)),
    );
    await closed;
  }

  async #renewed(next: NextDoor): Promise<ListenEndpoint> {
    const door = this.#doors.find((one) => isSameDoor(one, next)) as ListenEndpoint;
    if (next.identity && !isSameIdentity(next.identity, door.identity)) await door.server.renew(next.identity);
    return { ...next, server: door.server };
  }

  /** A port that was chosen by the system is kept when other settings of its endpoint change. */
  #placed(plan: EndpointPlan): NextDoor {
    const now = this.#doors.find(({ setting }) => setting === plan.setting);
    return { ...plan, port: plan.wanted === 0 && now?.wanted === 0 ? now.port : plan.wanted };
  }

  #portOf(setting: EndpointPlan['setting']): number | null {
    return this.#doors.find((door) => door.setting === setting)?.port ?? null;
  }
}

async function open(next: ReadyDoor): Promise<ListenEndpoint> {
  return { ...next, port: await listen(next.server, next, next.port) };
}

function isSameDoor(door: ListenEndpoint, next: NextDoor): boolean {
  return (
    door.host === next.host &&
    door.port === next.port &&
    door.threads === next.threads &&
    (door.identity === null) === (next.identity === null)
  );
}
