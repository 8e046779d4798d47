import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import type { MqttBrokerOptions, MqttCommand, MqttReport } from './mqtt-peer.ts';

/**
 * An MQTT broker for tests, run as a child process by mqtt-peer.ts; its options are the first argument, as JSON. Ends
 * with its parent.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as MqttBrokerOptions;
const KEPT_MAX = 1_000;
const published: MqttReport['published'] = [];
const subscribed: string[] = [];
const broker = await Aedes.createBroker({
  authenticate(_client, user, password, done) {
    const fits = options.user === undefined || (user === options.user && String(password) === options.password);
    if (fits) return done(null, true);
    done(Object.assign(new Error('refused'), { returnCode: 5 }), null);
  },
  authorizeSubscribe: (_client, subscription, done) =>
    done(null, subscription.topic === options.forbiddenTopic ? null : subscription),
});
broker.on('publish', ({ topic, payload, retain, qos }, client) => {
  if (client !== null && published.length < KEPT_MAX) published.push({ topic, payload: String(payload), retain, qos });
});
broker.on('subscribe', (subscriptions) => {
  for (const { topic } of subscriptions) if (subscribed.length < KEPT_MAX) subscribed.push(topic);
});

function publish({ topic, payload, retain = false, times = 1 }: Extract<MqttCommand, { do: 'publish' }>): void {
  for (let count = 0; count < times; count++)
    broker.publish(
      { cmd: 'publish', topic, payload: payload.replace('#', String(count)), qos: 0, retain, dup: false },
      () => undefined,
    );
}

process.on('message', (command: MqttCommand) => {
  if (command.do === 'publish') publish(command);
  else process.send?.({ published, subscribed } satisfies MqttReport);
});
process.on('disconnect', () => process.exit(0));
createServer(broker.handle).listen(options.port, '127.0.0.1', () => process.send?.('ready'));
