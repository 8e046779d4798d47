import type { Socket } from 'node:net';
import type { ModbusRTU } from 'modbus-serial/ModbusRTU.js';
import type { ConnectionOf } from '#common/model/connection.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { ConnectionLost, dial, noAnswer, whereIs, whyNot } from '../dial.ts';
import { ModbusException, UnitSilent } from './exceptions.ts';

/**
 * One TCP connection to a Modbus server: one request at a time, from dialling until it is closed.
 *
 * modbus-serial uses a socket that this class opens, because its own port does not report a reset connection and lets a
 * request on a closed one wait for its time limit.
 *
 * Limits: `timeout` of the connection for connecting and for each response; ANSWER_BYTES_MAX for the bytes received per
 * request. Security: everything that is not a response to the request (another unit, function, length, byte count) ends
 * the connection, because the meaning of further bytes is unknown. Known weakness: Modbus has no authentication; an
 * attacker on the network path can reply in the name of the device.
 */
export type ModbusClient = ModbusRTU;
export type ModbusConnection = ConnectionOf<'modbus'> & { readonly id: string };

/** The largest response has 260 bytes; the rest is for a late one. */
const ANSWER_BYTES_MAX = 1_024;

export class ModbusLink {
  readonly #connection: ModbusConnection;
  readonly #socket: Socket;
  readonly #client: ModbusClient;
  #received = 0;
  #lost: ConnectionLost | null = null;
  readonly #end = Promise.withResolvers<ConnectionLost>();
  #failPending: ((error: Error) => void) | null = null;

  /** Throws ConnectionLost; the reason of the signal if that aborts. */
  static async open(connection: ModbusConnection, guard: TargetGuard, signal: AbortSignal): Promise<ModbusLink> {
    const module = await import('modbus-serial');
    const socket = await dial(guard, connection, connection.timeout * 1000, signal);
    const link = new ModbusLink(connection, socket, new module.default.default());
    try {
      await link.#client.linkTCP(socket, { port: connection.port });
    } catch (cause) {
      throw link.#leave(`${whereIs(connection)} closed the connection`, cause);
    }
    link.#client.setTimeout(connection.timeout * 1000);
    return link;
  }

  private constructor(connection: ModbusConnection, socket: Socket, client: ModbusClient) {
    this.#connection = connection;
    this.#socket = socket;
    this.#client = client;
    // Before the client's own listener, so that a flood ends the connection before it is parsed.
    socket.on('data', (chunk: Buffer) => this.#count(chunk.length));
    socket.once('error', (error) => this.#leave(whyNot(connection, error), error));
    socket.once('close', () => this.#leave(`${whereIs(connection)} closed the connection`));
  }

  /** Resolves with the reason when the connection is over. */
  get ended(): Promise<ConnectionLost> {
    return this.#end.promise;
  }

  get where(): string {
    return whereIs(this.#connection);
  }

  /**
   * Throws ModbusException, UnitSilent, ConnectionLost. The caller must not send a second request while one is pending.
   */
  async request<T>(unitId: number, ask: (client: ModbusClient) => Promise<T>): Promise<T> {
    if (this.#failPending !== null) throw new TypeError('one request at a time');
    try {
      return await this.#asked(unitId, ask);
    } catch (error) {
      throw this.#meaning(error);
    } finally {
      this.#failPending = null;
    }
  }

  close(): void {
    this.#leave(`the connection to ${this.where} is closed`);
  }

  #asked<T>(unitId: number, ask: (client: ModbusClient) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== null) throw this.#lost;
      this.#failPending = reject;
      this.#received = 0;
      this.#client.setID(unitId);
      ask(this.#client).then(resolve, reject);
    });
  }

  #meaning(error: unknown): Error {
    if (error instanceof ConnectionLost) return error;
    if (hasField(error, 'modbusCode') && typeof error.modbusCode === 'number')
      return new ModbusException(error.modbusCode);
    if (hasField(error, 'errno') && error.errno === 'ETIMEDOUT')
      return new UnitSilent(noAnswer(this.#connection, this.#connection.timeout * 1000));
    return this.#leave(`${this.where} answers with something that is not Modbus`, error);
  }

  #count(bytes: number): void {
    this.#received += bytes;
    if (this.#received > ANSWER_BYTES_MAX) this.#leave(`${this.where} answers with more than Modbus allows`);
  }

  #leave(reason: string, cause?: unknown): ConnectionLost {
    if (this.#lost !== null) return this.#lost;
    const lost = new ConnectionLost(reason, { cause });
    this.#lost = lost;
    this.#socket.on('error', () => undefined);
    this.#client.destroy(() => undefined);
    this.#socket.destroy();
    this.#failPending?.(lost);
    this.#end.resolve(lost);
    return lost;
  }
}

/** modbus-serial does not always throw an Error. */
function hasField<F extends string>(error: unknown, field: F): error is Record<F, unknown> {
  return typeof error === 'object' && error !== null && field in error;
}
