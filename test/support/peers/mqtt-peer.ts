import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from '../until.ts';
import { commandsOf, type ChildPeer, peerOf, startChildPeer } from './child-peer.ts';

/** Starts and ends mqtt-broker.ts, a real MQTT broker (aedes) in a separate process. */
export interface MqttBrokerOptions {
  port: number;
  user?: string;
  password?: string;
  /** Subscriptions to it are refused. */
  forbiddenTopic?: string;
}

export type MqttCommand =
  | { do: 'publish'; topic: string; payload: string; retain?: boolean; times?: number }
  /** Messages published by clients since the start. */
  | { do: 'report' };

export interface MqttReport {
  published: { topic: string; payload: string; retain: boolean; qos: number }[];
  subscribed: string[];
}

export interface MqttPeer extends ChildPeer {
  readonly port: number;
  publish(topic: string, payload: string, more?: { retain?: boolean; times?: number }): void;
  report(): Promise<MqttReport>;
}

export async function startMqttPeer(options: MqttBrokerOptions): Promise<MqttPeer> {
  const peer = await startChildPeer('mqtt-broker.ts', options);
  const { tell, report } = commandsOf<MqttCommand, MqttReport>(peer, { do: 'report' });
  return {
    ...peer,
    port: options.port,
    publish: (topic, payload, more = {}) => tell({ do: 'publish', topic, payload, ...more }),
    report,
  };
}

export const MOSQUITTO = '/usr/sbin/mosquitto';

export interface MosquittoOptions {
  port: number;
  user: string;
  password: string;
  /** PEM files: with them the port uses TLS and requires a client certificate. */
  tls?: TestCertificates;
}

/** Mosquitto from Debian's package, with one user and without anonymous clients. */
export async function startMosquitto(
  folder: string,
  { port, user, password, tls }: MosquittoOptions,
): Promise<ChildPeer> {
  const users = join(folder, `users-${port}`);
  execFileSync('mosquitto_passwd', ['-b', '-c', users, user, password], { stdio: 'ignore' });
  await chmod(users, 0o644);
  const secure =
    tls === undefined
      ? []
      : [`cafile ${tls.ca}`, `certfile ${tls.cert}`, `keyfile ${tls.key}`, 'require_certificate true'];
  // Started by root it would switch to the user mosquitto, who may not read the test's folder.
  const lines = [
    'user root',
    `listener ${port} 127.0.0.1`,
    'allow_anonymous false',
    `password_file ${users}`,
    ...secure,
  ];
  const file = join(folder, `mosquitto-${port}.conf`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const peer = peerOf(spawn(MOSQUITTO, ['-c', file], { stdio: 'ignore' }));
  await until('mosquitto listens', () => listens(port));
  return peer;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface TestCertificates {
  ca: string;
  cert: string;
  key: string;
  clientCert: string;
  clientKey: string;
}

/**
 * A CA, a server certificate for `localhost` and a client certificate, as PEM files in `folder`; created by openssl.
 */
export function makeCertificates(folder: string): TestCertificates {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test CA');
  const leaf = ['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE'];
  const signed = (name: string, subject: string) => {
    const files = [
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.pem`),
    ];
    openssl('req', '-x509', ...key, ...leaf, ...files, '-subj', subject);
  };
  signed('server', '/CN=localhost');
  signed('client', '/CN=sluice');
  return {
    ca: at('ca.pem'),
    cert: at('server.pem'),
    key: at('server.key'),
    clientCert: at('client.pem'),
    clientKey: at('client.key'),
  };
}
