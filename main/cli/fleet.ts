import type { Arguments } from './arguments.ts';
import { askData } from './ask-data.ts';
import type { Command } from './command.ts';
import type { Left } from '../fleet/leave.ts';
import { dataCommand } from './data-command.ts';
import { refuseForeignData } from './data-owner.ts';
import { askHost } from './host-call.ts';
import { hubOptions, SERVE_FLAGS, serveOptions } from './options.ts';
import { PlainError, UsageError } from './plain-error.ts';
import { readSecret } from './read-secret.ts';
import { serveHub } from './serve.ts';

/** Commands of a fleet (docs/guides/fleet.md): a hub gives its edges a project with its keys. */
const { demo: _demo, ...ADDRESS_FLAGS } = SERVE_FLAGS;
const TTL_HOURS = 24;
const TTL_HOURS_MAX = 720;
const HOUR_MS = 3_600_000;

const PLACE_FLAGS = {
  address: {
    value: 'HOST:PORT',
    help: 'address of the hub, as edges reach it (the name of this machine, port 8092)',
  },
  'nats-host': { value: 'H', help: 'address that nats-server listens on (0.0.0.0)' },
  'nats-port': { value: 'N', help: 'port that nats-server listens on (8092)' },
  'nats-server': { value: 'FILE', help: 'path of nats-server (the installed one)' },
} satisfies Command['flags'];

export const hub: Command = {
  name: 'hub',
  summary: 'runs Sluice like "serve", as the hub of a fleet; needs nats-server',
  flags: { ...ADDRESS_FLAGS, ...PLACE_FLAGS },
  positionals: [],
  run: (args, context) => serveHub(serveOptions(args, context.environment), hubOptions(args), context),
};

export const hubInit = dataCommand({
  name: 'hub init',
  summary: 'makes this installation the hub of a fleet; takes effect when Sluice starts again',
  flags: PLACE_FLAGS,
  run: async ({ args, options, print }) => {
    const answer = await askData(options, { command: 'fleet-init', place: hubOptions(args) });
    print(`This machine is the hub of a fleet. ${nextStart(answer)}`);
  },
});

export const hubToken = dataCommand({
  name: 'hub token',
  summary: 'prints a one-time token with which a machine joins as an edge',
  flags: {
    hours: { value: 'N', help: `how long the token can be used (${TTL_HOURS})` },
    replace: { help: 'the new machine replaces the edge with this name, for example after a defect' },
  },
  positionals: ['EDGE'],
  run: async ({ args, options, print }) => {
    const [edge = ''] = args.positionals;
    const request = { edge, ttlMs: hoursIn(args) * HOUR_MS, replaces: args.flags.has('replace') };
    print(String(await askData(options, { command: 'fleet-token', ...request })));
  },
});

export const hubAssign = dataCommand({
  name: 'hub assign',
  summary: 'gives an edge a project as it is now, with its keys and running pipelines',
  positionals: ['PROJECT', 'EDGE'],
  run: async ({ args, options, print }) => {
    const [project = '', edge = ''] = args.positionals;
    const answer = await askData(options, { command: 'fleet-assign', project, edge });
    const { epoch, leftOut } = answer as { epoch: number; leftOut: string[] };
    print(
      `${project} was assigned to ${edge}, as its assignment ${epoch}; "sluice fleet status" shows when it is in force.`,
    );
    if (leftOut.length > 0)
      print(
        `Left out, because these keys were made before this machine was a hub: ${leftOut.join(', ')}. Rotate them, then assign again.`,
      );
  },
});

export const hubExpel = dataCommand({
  name: 'hub expel',
  summary: 'removes an edge from the fleet, such as a stolen one',
  positionals: ['EDGE'],
  run: async ({ args, options, print }) => {
    const [edge = ''] = args.positionals;
    await askData(options, { command: 'fleet-expel', edge });
    print(`${edge} cannot connect any more. It keeps its project and accepts its keys; if it was stolen, revoke them.`);
  },
});

export const fleetStatus = dataCommand({
  name: 'fleet status',
  summary: 'prints the edges of a hub, or the hub of an edge, as JSON',
  run: async ({ options, print }) => {
    const status = await askData(options, { command: 'fleet-status' });
    if (status === null) throw new PlainError('no hub or edge is running on this data folder; start it first');
    print(JSON.stringify(status, null, 2));
  },
});

export const join = dataCommand({
  name: 'join',
  summary: 'makes this machine an edge of the hub that printed the token; - reads it from standard input',
  positionals: ['TOKEN'],
  run: async ({ args, options, print }) => {
    const [given = ''] = args.positionals;
    const { readToken } = await import('../fleet/token.ts');
    const text = given === '-' ? await readSecret('Token') : given;
    // Before anything is created in the data folder.
    const token = readToken(text);
    const answer = await askHost(options.dataDir, { command: 'fleet-join' }, { body: Buffer.from(text) });
    if (answer !== null) return print(`${joined(token)} ${nextStart(answer.value)}`);
    refuseForeignData(options.dataDir);
    process.umask(0o077);
    const [{ join: joinHub }, { openData }, { createLogger }] = await Promise.all([
      import('../fleet/join.ts'),
      import('../host/open-data.ts'),
      import('#common/node/log.ts'),
    ]);
    const log = createLogger('sluice');
    const data = await openData({ ...options, overrides: {}, log });
    try {
      await joinHub(data.vault, token, log);
      print(`${joined(token)} ${nextStart({ isRunning: false })}`);
    } finally {
      await data.close();
    }
  },
});

export const leave = dataCommand({
  name: 'leave',
  summary: 'ends the membership of this edge in its fleet, and removes the keys of the fleet',
  run: async ({ options, print }) => {
    const answer = await askData(options, { command: 'fleet-leave' });
    const { edge, project, keyIds } = (answer as { result: Left }).result;
    const kept = project === null ? '' : ` The project ${project} stays on this Sluice.`;
    print(`This machine is no longer an edge. Removed keys of the fleet: ${keyIds.length}.${kept}`);
    print(`${nextStart(answer)} On the hub, run "sluice hub expel ${edge}".`);
  },
});

function joined({ edge, address }: { edge: string; address: string }): string {
  return `This machine is the edge ${edge} of the hub at ${address}.`;
}

/** Whether Sluice has to be started again. */
function nextStart(answer: unknown): string {
  const { isRunning } = answer as { isRunning: boolean };
  return isRunning
    ? 'Restart Sluice now: the change takes effect with the next start.'
    : 'The change takes effect when "sluice serve" starts.';
}

function hoursIn({ flags }: Arguments): number {
  const text = flags.get('hours');
  if (text === undefined) return TTL_HOURS;
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= TTL_HOURS_MAX) return Number(text);
  throw new UsageError(`--hours is "${text.slice(0, 20)}"; expected 1 to ${TTL_HOURS_MAX}`);
}
