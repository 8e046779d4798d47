import type { Settings } from '#common/model/settings.ts';
import { CoreDesk } from '../http/core-desk.ts';
import type { Edge } from '../http/edge.ts';
import { Guests } from '../http/guests.ts';
import { createThreadedServer } from '../http/threads/threaded-server.ts';
import { createGatewayServer, type GatewayServer } from '../http/server.ts';
import { type Door, type DoorPlan, doorPlans, isSameIdentity, isSamePlan, listen } from './doors.ts';

/** A door as it would be: `port` 0 = any free one. */
type NextDoor = DoorPlan & { readonly port: number };

/**
 * What the gateway listens on: one port, and with TLS a plain one beside it if the settings say so. The caps on
 * connections count over both, and over what a change leaves behind. A change opens what is new before it closes what is
 * old; a port that stays with another address or scheme is given up first, and taken back when the new state cannot be
 * had. A door that stays as it is goes on listening; a new certificate is for its next connections.
 */
export class Listener {
  readonly #edge: Edge;
  readonly #onThreadLost: (cause: unknown) => void;
  readonly #guests = new Guests();
  /** What is wanted, from the beginning on; what is open follows. */
  #plans: readonly DoorPlan[];
  #doors: readonly Door[] = [];
  /** No longer listening, until the last connection is gone. */
  readonly #leaving = new Map<GatewayServer, Promise<void>>();

  /** Throws SluiceError `invalid` when TLS is asked for and cannot be spoken. */
  constructor(edge: Edge, settings: Settings, onThreadLost: (cause: unknown) => void) {
    this.#edge = edge;
    this.#onThreadLost = onThreadLost;
    this.#plans = doorPlans(settings);
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

  /** Throws SluiceError `conflict` with a plain sentence when an address cannot be had. */
  async listen(): Promise<void> {
    this.#doors = await this.#swap(
      this.#plans.map((plan) => ({ ...plan, port: plan.wanted })),
      [],
    );
  }

  /** Whether `change` would do anything. Throws as the constructor does. */
  differs(settings: Settings): boolean {
    const plans = doorPlans(settings);
    return (
      plans.length !== this.#plans.length || !plans.every((plan, at) => isSamePlan(plan, this.#plans[at] as DoorPlan))
    );
  }

  /** Throws as `listen` and the constructor do; then all is as it was. */
  async change(settings: Settings): Promise<void> {
    const before = this.#plans;
    this.#plans = doorPlans(settings);
    const next = this.#plans.map((plan) => this.#placed(plan));
    const stays = (door: Door) => next.some((one) => isSameDoor(door, one));
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
    for (const { server } of this.#doors) server.destroy();
    for (const server of this.#leaving.keys()) server.destroy();
  }

  /** Opens and closes; gives what it opened. */
  async #swap(fresh: readonly NextDoor[], gone: readonly Door[]): Promise<Door[]> {
    const inTheWay = gone.filter(({ port }) => fresh.some((one) => one.port === port));
    const waits = ({ port }: NextDoor) => inTheWay.some((door) => door.port === port);
    const opened: Door[] = [];
    const given: Door[] = [];
    try {
      for (const one of fresh) if (!waits(one)) opened.push(await this.#open(one));
      for (const door of inTheWay) {
        await this.#leave(door);
        given.push(door);
      }
      for (const one of fresh) if (waits(one)) opened.push(await this.#open(one));
    } catch (error) {
      for (const door of opened) await this.#leave(door);
      await this.#takeBack(given);
      throw error;
    }
    for (const door of gone) if (!given.includes(door)) await this.#leave(door);
    return opened;
  }

  async #takeBack(given: readonly Door[]): Promise<void> {
    this.#doors = this.#doors.filter((door) => !given.includes(door));
    for (const door of given) this.#doors = [...this.#doors, await this.#open(door)];
  }

  async #open(next: NextDoor): Promise<Door> {
    const server = this.#serverOf(next);
    return { ...next, server, port: await listen(server, next, next.port) };
  }

  #serverOf({ identity, threads }: NextDoor): GatewayServer {
    const edge = this.#edge;
    const guests = this.#guests;
    if (threads === 0) return createGatewayServer(new CoreDesk(edge, guests), identity);
    return createThreadedServer({ edge, guests, identity, threads, onThreadLost: this.#onThreadLost });
  }

  /** Resolves when it listens no more. */
  async #leave({ server }: Door): Promise<void> {
    const closed = server.close();
    this.#leaving.set(
      server,
      closed.then(({ gone }) => gone).then(() => void this.#leaving.delete(server)),
    );
    await closed;
  }

  async #renewed(next: NextDoor): Promise<Door> {
    const door = this.#doors.find((one) => isSameDoor(one, next)) as Door;
    if (next.identity && !isSameIdentity(next.identity, door.identity)) await door.server.renew(next.identity);
    return { ...next, server: door.server };
  }

  /** A port that the system chose stays, whatever else of its door changes. */
  #placed(plan: DoorPlan): NextDoor {
    const now = this.#doors.find(({ setting }) => setting === plan.setting);
    return { ...plan, port: plan.wanted === 0 && now?.wanted === 0 ? now.port : plan.wanted };
  }

  #portOf(setting: DoorPlan['setting']): number | null {
    return this.#doors.find((door) => door.setting === setting)?.port ?? null;
  }
}

function isSameDoor(door: Door, next: NextDoor): boolean {
  return (
    door.host === next.host &&
    door.port === next.port &&
    door.threads === next.threads &&
    (door.identity === null) === (next.identity === null)
  );
}
