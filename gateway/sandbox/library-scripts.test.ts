import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LibraryScript } from '#common/model/library-script.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { scopeMask } from '#common/scopes.ts';
import { kinds as shipped } from '#plugins';
import { ScopeMissingError } from '#sdk';
import { NO_EGRESS } from '#sdk/testing.ts';
import { callContext } from '../capabilities/call-context.testing.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';
import type { CallContext, Capability } from '../capabilities/contract.ts';
import { CapabilityBroker } from '../capabilities/capability-broker.ts';
import { MessageBus } from '../capabilities/messages/bus.ts';
import { Pace } from '../capabilities/pace.ts';
import { DEPTH_MAX, createScripts, type Scripts } from '../capabilities/scripts/scripts.ts';
import { NO_TAGS } from '../capabilities/tags/no-tags.ts';
import { ANYBODY, definition, dispatch, ingress, response } from '../pipeline/harness.ts';
import type { LivePipeline } from '../pipeline/pipeline.ts';
import { createPipelineRuntime } from '../pipeline/runtime.ts';
import { unwatchedRuns } from '../pipeline/run-watch/run-watch.ts';

const PROJECT = 'filling';

let fixture: Fixture;
let scripts: Scripts;
let door: CapabilityBroker;
let depths: number[];
beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture.sandbox.close());
beforeEach(() => {
  depths = [];
  scripts = createScripts({ scripts: fixture.sandbox, door: () => door });
  const variables: Capability<'vars.get' | 'log'> = {
    calls: {
      'vars.get': ({ name }, { depth }) => {
        depths.push(depth);
        return `value of ${name}`;
      },
      log: ({ message, level }, context) => {
        context.log(level, message);
        return null;
      },
    },
    close: () => Promise.resolve(),
  };
  door = new CapabilityBroker([scripts, variables]);
});
afterEach(() => scripts.close());

function library(code: Record<string, string>, deadline = 60): void {
  const list = Object.entries(code).map(([id, text]): LibraryScript => ({ id, description: '', code: text, deadline }));
  scripts.configure(PROJECT, { ...NO_RESOURCES(PROJECT), scripts: list });
}

function context(more: Partial<CallContext> = {}): CallContext {
  return callContext({
    project: PROJECT,
    principal: {
      scopes: scopeMask(['script:execute', 'vars:read']),
      revoked: false,
      limits: null,
      rehearsal: false,
      things: null,
    },
    remainingMs: () => 60_000,
    ...more,
  });
}

const run = (name: string, args?: unknown, more?: Partial<CallContext>): Promise<unknown> =>
  door.call(context(more), 'scripts.run', args === undefined ? { name } : { name, args });

describe('a library script', () => {
  test('gets its arguments and returns its result', async () => {
    library({ double: 'export default (args) => args === null ? "none" : args.map((x) => x * 2)' });
    expect(await run('double', [1, 2])).toEqual([2, 4]);
    expect(await run('double')).toBe('none');
  });

  test('is unknown if it does not exist or belongs to another project', async () => {
    library({ double: 'export default () => 1' });
    await expect(run('triple')).rejects.toMatchObject({ code: 'script_unknown' });
    await expect(run('double', null, { project: 'other' })).rejects.toMatchObject({ code: 'script_unknown' });
  });

  test('has exactly the rights of its caller', async () => {
    library({ read: "export default () => vars.get('a')" });
    expect(await run('read')).toBe('value of a');
    const poor = run('read', null, {
      principal: {
        scopes: scopeMask(['script:execute']),
        revoked: false,
        limits: null,
        rehearsal: false,
        things: null,
      },
    });
    await expect(poor).rejects.toBeInstanceOf(ScopeMissingError);
    await expect(poor).rejects.toMatchObject({ missing: ['vars:read'] });
  });

  test('calls others, which know their depth', async () => {
    library({
      outer: "export default async (n) => 'outer ' + await scripts.run('inner', n + 1)",
      inner: "export default async (n) => `${n} ${await vars.get('a')}`",
    });
    expect(await run('outer', 1)).toBe('outer 2 value of a');
    expect(depths).toEqual([2]);
  });

  test('that calls itself endlessly is stopped at the depth limit', async () => {
    library({
      again:
        "export default async (n) => { try { return await scripts.run('again', n + 1) } catch (e) { return [n, e.code] } }",
    });
    expect(await run('again', 1)).toEqual([DEPTH_MAX, 'script_depth']);
  });

  test('that calls itself endlessly and catches nothing fails with the depth in the outermost one too', async () => {
    library({
      again: "export default async (n) => scripts.run('again', n)",
      unheard: "export default (n) => { scripts.run('again', n); return 1; }",
    });
    await expect(run('again', 1)).rejects.toMatchObject({ code: 'script_depth' });
    await expect(run('unheard', 1)).rejects.toMatchObject({ code: 'script_depth' });
  });

  test('does not wait for itself: 64 runs at once, each three deep', async () => {
    library({
      a: "export default async (n) => (await scripts.run('b', n)) + 1",
      b: "export default async (n) => (await scripts.run('c', n)) + 1",
      c: "export default async (n) => { await vars.get('x'); return n; }",
    });
    const results = await Promise.all(Array.from({ length: 64 }, (_, n) => run('a', n)));
    expect(results).toEqual(Array.from({ length: 64 }, (_, n) => n + 2));
  });

  test('is ended with its caller', async () => {
    const gate = new AbortController();
    library({ wait: "export default async () => { for (;;) await vars.get('a') }" }, 3600);
    const waiting = run('wait', null, { signal: gate.signal });
    gate.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'call_cancelled' });
  });
});

describe('a library script that nobody waited for', () => {
  const begin = "{ scripts.run('behind').then(() => 0, () => 0); await vars.get('first'); return { body: 'done' }; }";
  const twice = "export default async () => { await vars.get('before'); await vars.get('after'); }";

  /** The first script continues once the other one waits for `before`, which is answered when the test allows it. */
  function doorWithGate(): { asked: string[]; open: () => void; refused: Promise<string> } {
    const gate = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<string>();
    const asked: string[] = [];
    const get = async ({ name }: { name: string }): Promise<null> => {
      asked.push(name);
      if (name === 'before') waits.resolve();
      await (name === 'before' ? gate : waits).promise;
      return null;
    };
    class WatchedDoor extends CapabilityBroker {
      override async call(...given: Parameters<CapabilityBroker['call']>): Promise<never> {
        try {
          return (await super.call(...given)) as never;
        } catch (error) {
          refused.resolve(String(error));
          throw error;
        }
      }
    }
    door = new WatchedDoor([{ calls: { 'vars.get': get }, close: () => Promise.resolve() }, scripts]);
    return { asked, open: gate.resolve, refused: refused.promise };
  }

  test('calls nothing more once the run has ended', async () => {
    const { asked, open, refused } = doorWithGate();
    library({ behind: twice });
    const pace = new Pace();
    const runtime = createPipelineRuntime({
      watch: unwatchedRuns(),
      kinds: shipped,
      scripts: fixture.sandbox,
      egress: () => NO_EGRESS,
      surroundings: { door, bus: new MessageBus(pace), pace, tags: NO_TAGS },
      log: () => undefined,
    });
    const settings = { scopes: ['script:execute', 'vars:read'], code: `export default async () => ${begin}` };
    const nodes = [ingress(), { id: 'begin', kind: 'transform', settings }, response()];
    const start = { project: PROJECT, revision: 1, definition: definition(nodes, ['in → begin → reply']) };
    const pipeline = (await runtime.compile(start)) as LivePipeline;
    expect(await dispatch(pipeline, {}, ANYBODY).told).toMatchObject({ kind: 'reply', reply: { status: 200 } });
    expect(pipeline.active).toBe(0);
    open();
    expect(await refused).toContain('vars.get was cancelled with its run');
    expect(asked.toSorted()).toEqual(['before', 'first']);
    await runtime.close();
  });

  test('calls nothing more once the test of a draft has ended', async () => {
    const { asked, open, refused } = doorWithGate();
    library({ behind: twice });
    const principal = {
      scopes: scopeMask(['script:execute', 'vars:read']),
      revoked: false,
      limits: null,
      rehearsal: false,
      things: null,
    };
    const draft = { id: 'draft', code: `export default async () => ${begin}`, deadline: 5 };
    await scripts.testScript(PROJECT, draft, null, principal);
    open();
    expect(await refused).toContain('vars.get was cancelled with its run');
    expect(asked.toSorted()).toEqual(['before', 'first']);
  });
});

describe('when the library changes', () => {
  test('the new code runs, a removed script is unknown, and active runs end with the old code', async () => {
    library({
      one: "export default async () => { await vars.get('a'); return 'old'; }",
      two: 'export default () => 2',
    });
    const running = run('one');
    library({ one: "export default () => 'new'" });
    expect(await run('one')).toBe('new');
    expect(await running).toBe('old');
    await expect(run('two')).rejects.toMatchObject({ code: 'script_unknown' });
    scripts.configure(PROJECT, null);
    await expect(run('one')).rejects.toMatchObject({ code: 'script_unknown' });
  });

  test('scripts are compiled when first used, once, and again only after a change', async () => {
    const compiled: string[] = [];
    const closed: string[] = [];
    const counting = createScripts({
      door: () => door,
      scripts: {
        compile: async (code) => {
          compiled.push(code);
          return { call: async () => code, close: () => void closed.push(code) };
        },
      },
    });
    const configure = (code: string): void =>
      counting.configure(PROJECT, {
        ...NO_RESOURCES(PROJECT),
        scripts: [{ id: 's', description: '', code, deadline: 1 }],
      });
    const call = (): unknown => counting.calls['scripts.run']({ name: 's' }, context(), new AbortController().signal);
    configure('A');
    expect(compiled).toEqual([]);
    await Promise.all([call(), call()]);
    configure('A');
    await call();
    expect([compiled, closed]).toEqual([['A'], []]);
    configure('B');
    await call();
    expect([compiled, closed]).toEqual([['A', 'B'], ['A']]);
    await counting.close();
    await Promise.resolve();
    expect(closed).toEqual(['A', 'B']);
  });

  test('code that is not a script is refused with its reason each time', async () => {
    library({ bad: 'export default 5' });
    for (let time = 0; time < 2; time++)
      await expect(run('bad')).rejects.toMatchObject({
        code: 'script_invalid',
        message: expect.stringMatching(/^expected the default export/),
      });
  });
});

describe('the test of a draft', () => {
  const principal = {
    scopes: scopeMask(['script:execute']),
    revoked: false,
    limits: null,
    rehearsal: false,
    things: null,
  };
  const draft = (code: string) => ({ id: 'draft', code, deadline: 5 });

  test('returns result and log lines, with the library available', async () => {
    library({ double: 'export default (n) => n * 2' });
    const code = "export default async (n) => { log('on it', 'warn'); return scripts.run('double', n); }";
    expect(await scripts.testScript(PROJECT, draft(code), 21, principal)).toEqual({
      result: 42,
      lines: [{ level: 'warn', message: 'on it' }],
    });
  });

  test('fails as the script fails', async () => {
    await expect(scripts.testScript(PROJECT, draft('export default'), 1, principal)).rejects.toMatchObject({
      code: 'script_invalid',
    });
    await expect(
      scripts.testScript(PROJECT, draft("export default () => vars.get('a')"), 1, principal),
    ).rejects.toBeInstanceOf(ScopeMissingError);
  });
});
