import type { Message, Reply } from '#common/model/message.ts';
import {
  type Capabilities,
  type EgressCall,
  type EgressEndpoint,
  type EgressOutcome,
  type EgressService,
  type LogLevel,
  NodeError,
  type NodeInstance,
  type NodeKind,
  type Outcome,
  type Run,
} from './kind.ts';
import { linearPattern } from './linear-pattern.ts';

/** Helpers for the tests of a kind, which call it directly. The product does not use them. */
export interface TestRun extends Run {
  readonly controller: AbortController;
  readonly replies: Reply[];
  readonly lines: { level: LogLevel; message: string }[];
}

/** The result of a test's capabilities: a value, a promise of one, or a throw. */
export type Answer = (name: string, args: unknown) => unknown;

/** Capabilities whose results come from a test; without a result every call is an error. */
export function testCapabilities(answer: Answer = noAnswer): Capabilities {
  const capabilities: Capabilities = {
    // The test defines the result of the call; its own types check the rest.
    call: async (name, args) => (await answer(name, args)) as never,
    limitedTo: () => capabilities,
    asPlugin: () => capabilities,
    invoke: async (name, positional) => answer(name, positional),
  };
  return capabilities;
}

function noAnswer(name: string): never {
  throw new NodeError('call_unknown', `this test answers no ${name}`);
}

export function testRun(answer?: Answer): TestRun {
  const controller = new AbortController();
  const replies: Reply[] = [];
  const lines: TestRun['lines'] = [];
  return {
    controller,
    replies,
    lines,
    signal: controller.signal,
    remainingMs: () => 30_000,
    matches: async (pattern, text) => ({ matches: linearPattern(pattern).test(text), cpuMs: 0 }),
    nextTurn: () => new Promise((resolve) => void setImmediate(resolve)),
    traceparent: null,
    reply: (reply) => void replies.push(reply),
    log: (level, message) => void lines.push({ level, message }),
    capabilities: testCapabilities(answer),
    origin: {},
    rehearsal: null,
    expectTarget: () => undefined,
  };
}

export const NO_EGRESS: EgressService = {
  open: () => Promise.reject(new NodeError('outbox_unavailable', 'there is no egress in this test')),
};

/** An egress whose results come from a test; it records openings, calls and closings. */
export interface TestEgress extends EgressService {
  readonly opened: EgressEndpoint[];
  readonly sent: EgressCall[];
  closed: number;
}

export function testEgress(answer: (call: EgressCall) => EgressOutcome): TestEgress {
  const egress: TestEgress = {
    opened: [],
    sent: [],
    closed: 0,
    async open(endpoint) {
      egress.opened.push(endpoint);
      return {
        async send(call) {
          egress.sent.push(call);
          return answer(call);
        },
        close: () => void egress.closed++,
      };
    },
  };
  return egress;
}

/** A node created from saved settings; throws the errors of the schema. */
export async function nodeOf(kind: NodeKind, settings: unknown, egress = NO_EGRESS): Promise<NodeInstance> {
  return kind.create(kind.settings.parse(settings), {
    project: 'p',
    node: { id: 'n', name: 'n' },
    scripts: { compile: () => Promise.reject(new NodeError('script_invalid', 'there are no scripts in this test')) },
    egress,
  });
}

export function withBody(body: unknown): Message {
  return messageOf({ body, params: {}, query: {}, headers: {} });
}

export function messageOf(payload: unknown): Message {
  return { payload, request: null, caller: null };
}

/** The errors of a kind for invalid settings, as `path: message`. */
export function faultsOf(kind: NodeKind, settings: unknown): string[] {
  const read = kind.settings.safeParse(settings);
  return read.success ? [] : read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

export function emitted(outcome: Outcome | Promise<Outcome>): { port: string; payload: unknown } {
  if (outcome === undefined || outcome instanceof Promise)
    throw new Error('the node did not answer synchronously with a message');
  return { port: outcome.port, payload: outcome.message.payload };
}
