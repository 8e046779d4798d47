import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT, type TestKey } from '#test/make-key.ts';
import { type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * The rights of a run (docs/spec/capabilities.md#rights-of-a-run), as a table of every combination: how it began ×
 * runAs × grants × the key's scopes × a native node, a script with the scope in its list, a script without. The tested
 * scope is `vars:read`.
 */
const NEEDED: Scope = 'vars:read';
const PATH = 'shift/current';

const GRANTS = [[], [NEEDED]] as const satisfies Scope[][];
const RUN_AS = ['caller', 'pipeline'] as const;
const HELD = [false, true] as const;

/** The actor of the attempt, and the rights of the run that it keeps. */
const ACTORS = {
  native: { kind: 'variable-read', settings: { name: PATH, into: 'payload.body' }, keeps: true },
  'script-with': {
    kind: 'transform',
    settings: { scopes: [NEEDED], code: `export default async () => ({ body: await vars.get('${PATH}') })` },
    keeps: true,
  },
  'script-without': {
    kind: 'transform',
    settings: { code: `export default async () => ({ body: await vars.get('${PATH}') })` },
    keeps: false,
  },
} as const satisfies Record<string, MiddleNode & { keeps: boolean }>;
type ActorName = keyof typeof ACTORS;
const ACTOR_NAMES = ['native', 'script-with', 'script-without'] as const satisfies ActorName[];

const actor = (name: ActorName): MiddleNode => ({
  id: 'try',
  kind: ACTORS[name].kind,
  settings: ACTORS[name].settings,
});
const grantsName = (grants: readonly Scope[]): string => (grants.length === 0 ? 'none' : 'granted');

interface RouteCase {
  auth: 'api_key' | 'none';
  runAs: (typeof RUN_AS)[number];
  grants: readonly Scope[];
  actor: ActorName;
}
const ROUTES: readonly RouteCase[] = (['api_key', 'none'] as const).flatMap((auth) =>
  RUN_AS.flatMap((runAs) =>
    GRANTS.flatMap((grants) => ACTOR_NAMES.map((name) => ({ auth, runAs, grants, actor: name }))),
  ),
);
const routeId = ({ auth, runAs, grants, actor: name }: RouteCase): string =>
  `${auth === 'none' ? 'public' : 'keyed'}-${runAs}-${grantsName(grants)}-${name}`;

const routeOf = (one: RouteCase): PipelineInput =>
  routePipeline({
    id: routeId(one),
    path: `/${routeId(one)}`,
    route: { authType: one.auth },
    middle: [actor(one.actor)],
    runAs: one.runAs,
    grants: [...one.grants],
  });

/** Begins automatically: a timer, or a tag that the simulator changes. Seldom, because one run of each is enough. */
const TRIGGERS = {
  timer: { kind: 'timer', settings: { every: 0.5 }, scopes: [] },
  'tag-change': { kind: 'tag-change', settings: { tags: ['sim'] }, scopes: ['tag:read'] },
} as const satisfies Record<string, { kind: string; settings: object; scopes: Scope[] }>;
type TriggerName = keyof typeof TRIGGERS;

interface TriggerCase {
  trigger: TriggerName;
  runAs: (typeof RUN_AS)[number];
  grants: readonly Scope[];
  actor: ActorName;
}
const TRIGGER_CASES: readonly TriggerCase[] = (['timer', 'tag-change'] as const).flatMap((trigger) =>
  RUN_AS.flatMap((runAs) =>
    GRANTS.flatMap((grants) => ACTOR_NAMES.map((name) => ({ trigger, runAs, grants, actor: name }))),
  ),
);
const triggerId = ({ trigger, runAs, grants, actor: name }: TriggerCase): string =>
  `${trigger}-${runAs}-${grantsName(grants)}-${name}`;

function begun(id: string, start: { kind: string; settings: object }, name: ActorName, more: object): PipelineInput {
  return {
    id,
    name: id,
    nodes: [
      { id: 'start', kind: start.kind, settings: { ...start.settings } },
      { ...actor(name), id: 'try' },
    ],
    wires: [{ from: 'start', port: 'out', to: 'try' }],
    ...more,
  };
}

/** How a message is sent, and whether the sender's rights still include those of the key. */
const SENDERS = {
  node: { kind: 'message-out', keeps: true },
  'script-with': { kind: 'transform', scopes: ['script:execute', NEEDED], keeps: true },
  'script-without': { kind: 'transform', scopes: ['script:execute'], keeps: false },
} as const satisfies Record<string, { kind: string; scopes?: Scope[]; keeps: boolean }>;
type SenderName = keyof typeof SENDERS;
const SENDER_NAMES = ['node', 'script-with', 'script-without'] as const satisfies SenderName[];

interface MessageCase {
  sender: SenderName;
  grants: readonly Scope[];
  actor: ActorName;
}
const MESSAGE_CASES: readonly MessageCase[] = SENDER_NAMES.flatMap((sender) =>
  GRANTS.flatMap((grants) => ACTOR_NAMES.map((name) => ({ sender, grants, actor: name }))),
);
const channelOf = ({ sender, grants, actor: name }: MessageCase): string => `${sender}-${grantsName(grants)}-${name}`;

function senderNode(one: MessageCase): MiddleNode {
  const channel = channelOf(one);
  if (one.sender === 'node') return { kind: 'message-out', settings: { channel } };
  const code = `export default async (msg) => { await messages.send('${channel}', msg.payload.body); return {}; }`;
  return { kind: 'transform', settings: { scopes: [...SENDERS[one.sender].scopes], code } };
}

const sending = (one: MessageCase): PipelineInput =>
  routePipeline({
    id: `send-${channelOf(one)}`,
    path: `/send/${channelOf(one)}`,
    method: 'POST',
    middle: [senderNode(one)],
  });
const receiving = (one: MessageCase): PipelineInput =>
  begun(`receive-${channelOf(one)}`, { kind: 'message-in', settings: { channel: channelOf(one) } }, one.actor, {
    grants: [...one.grants],
  });

let gateway: TestGateway;
const keyWith = makeKey({ scopes: [NEEDED, 'script:execute'] });
const keyWithout = makeKey({ scopes: ['script:execute'] });
const keyOf = (held: boolean): TestKey => (held ? keyWith : keyWithout);

beforeAll(async () => {
  gateway = await startGateway({
    keys: [keyWith, keyWithout],
    resources: [
      {
        project: TEST_PROJECT,
        connections: [],
        queries: [],
        scripts: [],
        tags: [
          {
            path: 'sim',
            title: '',
            type: 'number',
            unit: '',
            source: { provider: 'simulator', shape: 'counter', min: 0, max: 1e6, period: 60, interval: 0.5 },
            writable: false,
            history: null,
          },
        ],
      },
    ],
    pipelines: [
      ...ROUTES.map(routeOf),
      ...TRIGGER_CASES.map((one) =>
        begun(triggerId(one), TRIGGERS[one.trigger], one.actor, {
          runAs: one.runAs,
          grants: [...TRIGGERS[one.trigger].scopes, ...one.grants],
        }),
      ),
      ...MESSAGE_CASES.flatMap((one) => [sending(one), receiving(one)]),
    ],
  });
  const args = { name: PATH, value: 'night' };
  await gateway.call('capability', { project: TEST_PROJECT, name: 'vars.set', args });
});
afterAll(async () => {
  await gateway.stop();
});

async function ask(path: string, key: TestKey | null, method = 'GET'): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method,
    headers: {
      ...(key && { 'X-API-Key': key.value }),
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
    },
    ...(method === 'POST' && { body: '{}' }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** The newest completed run. */
async function newestRun(pipeline: string): Promise<RunRecord> {
  const { value } = await until(`a run of ${pipeline}`, async () => {
    const [run] = await gateway.call('runs', { project: TEST_PROJECT, pipeline });
    return run === undefined ? null : { value: run };
  });
  return value;
}

const refused = {
  status: 403,
  body: expect.objectContaining({ code: 'scope_missing', detail: `The run lacks: ${NEEDED}.` }),
};
const allowed = { status: 200, body: 'night' };

describe('a request on a keyed route', () => {
  const cases = ROUTES.filter(({ auth }) => auth === 'api_key').flatMap((one) =>
    HELD.map((held) => {
      const granted = one.grants.length > 0;
      const right = (one.runAs === 'pipeline' ? granted : held) && ACTORS[one.actor].keeps;
      return { name: routeId(one), held, right };
    }),
  );
  test.each(cases)('$name with a key that holds the scope: $held → may: $right', async ({ name, held, right }) => {
    expect(await ask(`/${name}`, keyOf(held))).toEqual(right ? allowed : refused);
  });
});

describe('a request on a public route', () => {
  const cases = ROUTES.filter(({ auth }) => auth === 'none').flatMap((one) =>
    [null, false, true].map((held) => ({
      name: routeId(one),
      held,
      right: one.grants.length > 0 && ACTORS[one.actor].keeps,
    })),
  );
  test.each(cases)('$name, a key with the scope sent along: $held → may: $right', async ({ name, held, right }) => {
    expect(await ask(`/${name}`, held === null ? null : keyOf(held))).toEqual(right ? allowed : refused);
  });
});

describe('a run that a trigger started', () => {
  const cases = TRIGGER_CASES.map((one) => ({
    name: triggerId(one),
    right: one.grants.length > 0 && ACTORS[one.actor].keeps,
  }));
  test.each(cases)('$name → may: $right', async ({ name, right }) => {
    expectRun(await newestRun(name), right);
  });

  test('leaves no row in the journal, and neither do its capability calls', async () => {
    await newestRun(triggerId(TRIGGER_CASES[0] as TriggerCase));
    const rows = await gateway.journalRows();
    expect(rows.filter(({ route }) => route === undefined)).toEqual([]);
    expect(rows.filter(({ type }) => !['use', 'outcome', 'refusal'].includes(type))).toEqual([]);
  });
});

describe('a run that a message started', () => {
  const cases = MESSAGE_CASES.flatMap((one) =>
    HELD.map((held) => {
      const sent = held && SENDERS[one.sender].keeps;
      return { name: channelOf(one), held, right: sent && one.grants.length > 0 && ACTORS[one.actor].keeps };
    }),
  );
  test.each(cases)('$name from a key that holds the scope: $held → may: $right', async ({ name, held, right }) => {
    const before = await gateway.call('runs', { project: TEST_PROJECT, pipeline: `receive-${name}` });
    expect((await ask(`/send/${name}`, keyOf(held), 'POST')).status).toBe(200);
    const runs = await until(`the run of ${name}`, async () => {
      const now = await gateway.call('runs', { project: TEST_PROJECT, pipeline: `receive-${name}` });
      return now.length > before.length ? now : null;
    });
    const [run] = runs;
    expect(run).toBeDefined();
    if (run !== undefined) expectRun(run, right);
  });

  test('is not started by a key without script:execute', async () => {
    const key = makeKey({ scopes: [NEEDED] });
    await gateway.change({ kind: 'key', key: key.entry });
    for (const sender of SENDER_NAMES) {
      const path = `/send/${sender}-granted-native`;
      expect(await ask(path, key, 'POST')).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    }
  });
});

function expectRun(run: RunRecord, right: boolean): void {
  expect(run.requestId).toBe('');
  if (right) expect(run).toMatchObject({ outcome: 'ended', error: null });
  else expect(run).toMatchObject({ outcome: 'failed', error: { node: 'try', code: 'scope_missing' } });
}
