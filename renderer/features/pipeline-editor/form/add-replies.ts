import { nodeOf, wireId, type Draft, type DraftWire } from '../model/draft.ts';
import { addNode, connect, disconnect } from '../model/edits.ts';
import { COLUMN, freeSpot, placedNodes } from '../model/geometry.ts';
import { ERROR_PORT, portsOf, type Kinds } from '../model/ports.ts';

/** The outcome that a reply reports. Each has its own reply node, so that the status matches it. */
type Meaning = 'good' | 'queued' | 'invalid' | 'error';

export const REPLY = 'http-response';
const MEANINGS: readonly Meaning[] = ['good', 'queued', 'invalid', 'error'];

/** Without its own status, a reply uses that of the message, or 200. */
const REPLIES = {
  good: { id: 'reply', settings: {} },
  queued: { id: 'reply-202', name: 'Reply 202', settings: { status: 202 } },
  invalid: { id: 'reply-400', name: 'Reply 400', settings: { status: 400 } },
  // The message of an error port still has the body of the request, which is not a response.
  error: { id: 'reply-503', name: 'Reply 503', settings: { status: 503, body: { error: 'temporarily unavailable' } } },
} satisfies Record<Meaning, { id: string; name?: string; settings: object }>;

interface End {
  from: string;
  port: string;
  meaning: Meaning;
}

/** By the name of the port; null: as before the node. */
function meaningOf(port: string): Meaning | null {
  if (port === ERROR_PORT) return 'error';
  return port === 'invalid' || port === 'queued' ? port : null;
}

/**
 * Unwired ports through which messages of this route can leave. Unwired `error` ports are not included: there the
 * caller immediately gets a 500.
 */
export function looseEnds(draft: Draft, start: string, kinds: Kinds): End[] {
  return [...meaningsFrom(draft, start)].flatMap(([from, meaning]) => {
    const node = nodeOf(draft, from);
    const outs = node === undefined ? [] : portsOf(node, kinds).outs;
    return outs
      .filter((port) => !draft.wires.some((wire) => wire.from === from && wire.port === port))
      .map((port) => ({ from, port, meaning: meaningOf(port) ?? meaning }));
  });
}

/** The nodes that are reached from `start`, with the meaning of messages there: success if that is possible. */
function meaningsFrom({ wires }: Draft, start: string): Map<string, Meaning> {
  const found = new Map<string, Meaning>([[start, 'good']]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const wanted of MEANINGS) spreadMeaning(wanted, wires, found);
  }
  return found;
}

function spreadMeaning(wanted: Meaning, wires: readonly DraftWire[], found: Map<string, Meaning>): void {
  // A map iterates over entries that are added during the iteration.
  for (const [id, meaning] of found)
    for (const { from, port, to } of wires)
      if (from === id && !found.has(to) && (meaningOf(port) ?? meaning) === wanted) found.set(to, wanted);
}

/** One reply for each meaning, to the right of the nodes that it serves. */
export function repliesTo(draft: Draft, ends: readonly End[], kinds: Kinds): Draft {
  return MEANINGS.reduce((before, meaning) => {
    const own = ends.filter((end) => end.meaning === meaning);
    return own.length === 0 ? before : replyTo(before, own, meaning, kinds);
  }, draft);
}

function replyTo(draft: Draft, ends: readonly End[], meaning: Meaning, kinds: Kinds): Draft {
  const places = ends.map(({ from }) => nodeOf(draft, from)?.position ?? { x: 0, y: 0 });
  const wanted = { x: Math.max(...places.map(({ x }) => x)) + COLUMN, y: places[0]?.y ?? 0 };
  const position = freeSpot(placedNodes(draft, kinds, null), wanted);
  const added = addNode(draft, { ...REPLIES[meaning], kind: REPLY, position });
  return ends.reduce((before, { from, port }) => connect(before, { from, port, to: added.id }, kinds), added.draft);
}

/** Removes the wires from this port to replies, and wires the port to a separate reply. */
export function ownReply(draft: Draft, from: string, port: string, kinds: Kinds): Draft {
  const meaning = meaningOf(port);
  const wrong = draft.wires.filter(
    (wire) => wire.from === from && wire.port === port && nodeOf(draft, wire.to)?.kind === REPLY,
  );
  if (meaning === null || wrong.length === 0) return draft;
  const cut = wrong.reduce((before, wire) => disconnect(before, wireId(wire)), draft);
  return replyTo(cut, [{ from, port, meaning }], meaning, kinds);
}
