import { isScope, SCOPES, type Scope } from '#common/scopes.ts';
import type { CheckFinding } from '#common/model/pipeline.ts';
import { nodeOf, type Draft, type DraftNode, type DraftWire, type Settings } from '../model/draft.ts';
import { mapNodes } from '../model/edits.ts';
import { ERROR_PORT, portsOf, type Kinds } from '../model/ports.ts';
import { looseEnds, ownReply, REPLY, repliesTo } from './add-replies.ts';

/** A button that fixes an issue of `check`. */
export interface QuickFix {
  /** The button's text: `editorForm.quickFix.<code>`, with `values`. */
  code:
    | 'requireScope'
    | 'grantScope'
    | 'requireKey'
    | 'addReply'
    | 'replyInvalid'
    | 'replyError'
    | 'dropHeader'
    | 'removeWire';
  values: { scope?: Scope; header?: string };
  change(draft: Draft): Draft;
}

type QuickFixMaker = (finding: CheckFinding, draft: Draft, kinds: Kinds) => QuickFix | null;

const QUICK_FIXES: Record<string, QuickFixMaker> = {
  scope_not_required: requireScope,
  scope_not_granted: grantScope,
  public_route: requireKey,
  reply_missing: addReply,
  failure_as_success: replyApart,
  sensitive_header: dropHeader,
  wire_twice: () => removeWires((wire, index, wires) => wires.findIndex((one) => isSame(one, wire)) === index),
  port_unknown: removeLost,
  wire_to_nowhere: (_finding, { nodes }) => removeWires(({ to }) => nodes.some(({ id }) => id === to)),
  wire_from_nowhere: (_finding, { nodes }) => removeWires(({ from }) => nodes.some(({ id }) => id === from)),
  wire_into_start: ({ node }) => onlyWith(node, (id) => removeWires(({ to }) => to !== id)),
};

/** Null: only the author can decide; the row leads to the field or node instead. */
export function quickFixFor(finding: CheckFinding, draft: Draft, kinds: Kinds): QuickFix | null {
  const quickFix = QUICK_FIXES[finding.code]?.(finding, draft, kinds) ?? null;
  return quickFix === null || quickFix.change(draft) === draft ? null : quickFix;
}

function onlyWith(node: string | undefined, quickFix: (id: string) => QuickFix | null): QuickFix | null {
  return node === undefined ? null : quickFix(node);
}

// ── Scopes ──

/** Scope names are distinct words, so the scope is the one that occurs in the sentence. */
function scopeIn({ message }: CheckFinding): Scope | undefined {
  return SCOPES.find((scope) => message.includes(scope));
}

function requireScope(finding: CheckFinding, draft: Draft): QuickFix | null {
  const scope = scopeIn(finding);
  const { node } = finding;
  if (scope === undefined || node === undefined) return null;
  const lacking = draft.nodes.filter(
    (one) => isKeyedRoute(one) && !scopesOf(one.settings).includes(scope) && reaches(draft, one.id, node),
  );
  const ids = new Set(lacking.map(({ id }) => id));
  return {
    code: 'requireScope',
    values: { scope },
    change: (before) =>
      ids.size === 0
        ? before
        : withSettings(before, ids, (settings) => ({
            ...settings,
            requiredScopes: [...scopesOf(settings), scope],
          })),
  };
}

function grantScope(finding: CheckFinding): QuickFix | null {
  const scope = scopeIn(finding);
  if (scope === undefined) return null;
  return {
    code: 'grantScope',
    values: { scope },
    change: (draft) => (draft.grants.includes(scope) ? draft : { ...draft, grants: [...draft.grants, scope] }),
  };
}

function isRoute({ kind, settings, off }: DraftNode): boolean {
  return kind === 'rest-api' && settings['mode'] !== 'egress' && off !== true;
}

function isKeyedRoute(node: DraftNode): boolean {
  return isRoute(node) && node.settings['authType'] !== 'none';
}

/** A list, or one text with commas. */
function scopesOf({ requiredScopes }: Settings): Scope[] {
  return textsOf(requiredScopes).filter(isScope);
}

function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  return list.map((name) => name.trim()).filter((name) => name !== '');
}

/** Wires bypass a disabled node, so it is traversed like any other. */
function reaches({ wires }: Draft, from: string, to: string): boolean {
  return reachedFrom(wires, from).has(to);
}

function reachedFrom(wires: readonly DraftWire[], start: string): Set<string> {
  const reached = new Set([start]);
  // A set iterates over elements that are added during the iteration.
  for (const id of reached) for (const wire of wires) if (wire.from === id) reached.add(wire.to);
  return reached;
}

// ── Routes ──

function requireKey({ node }: CheckFinding): QuickFix | null {
  return onlyWith(node, (id) => ({
    code: 'requireKey',
    values: {},
    change: (draft) => withSettings(draft, new Set([id]), (settings) => ({ ...settings, authType: 'api_key' })),
  }));
}

function dropHeader({ node, message }: CheckFinding, draft: Draft): QuickFix | null {
  const whitelist = textsOf(nodeOf(draft, node ?? '')?.settings['headerWhitelist']);
  const header = whitelist.find((name) => message.includes(`"${name.toLowerCase()}"`));
  if (node === undefined || header === undefined) return null;
  return {
    code: 'dropHeader',
    values: { header },
    change: (before) =>
      withSettings(before, new Set([node]), (settings) => ({
        ...settings,
        headerWhitelist: textsOf(settings['headerWhitelist']).filter((name) => name !== header),
      })),
  };
}

/** A reply for each meaning at the unwired ports through which a message of this route can leave. */
function addReply({ node }: CheckFinding, draft: Draft, kinds: Kinds): QuickFix | null {
  if (node === undefined || !kinds.has(REPLY)) return null;
  const ends = looseEnds(draft, node, kinds);
  return { code: 'addReply', values: {}, change: (before) => repliesTo(before, ends, kinds) };
}

/** Only a wire that leads directly into the reply can be redirected without changing earlier steps. */
function replyApart({ node, params }: CheckFinding, _draft: Draft, kinds: Kinds): QuickFix | null {
  const { port } = params ?? {};
  if (node === undefined || typeof port !== 'string' || !kinds.has(REPLY)) return null;
  return {
    code: port === ERROR_PORT ? 'replyError' : 'replyInvalid',
    values: {},
    change: (before) => ownReply(before, node, port, kinds),
  };
}

// ── Wires ──

function removeWires(keep: (wire: DraftWire, index: number, wires: readonly DraftWire[]) => boolean): QuickFix {
  return {
    code: 'removeWire',
    values: {},
    change(draft) {
      const wires = draft.wires.filter(keep);
      return wires.length === draft.wires.length ? draft : { ...draft, wires };
    },
  };
}

/** Wires from ports that do not exist on the node. */
function removeLost({ node }: CheckFinding, draft: Draft, kinds: Kinds): QuickFix | null {
  const source = nodeOf(draft, node ?? '');
  if (source === undefined) return null;
  const { outs, error } = portsOf(source, kinds);
  return removeWires(({ from, port }) => from !== node || outs.includes(port) || (error && port === ERROR_PORT));
}

const isSame = (a: DraftWire, b: DraftWire) => a.from === b.from && a.port === b.port && a.to === b.to;

function withSettings(draft: Draft, ids: ReadonlySet<string>, change: (settings: Settings) => Settings): Draft {
  return mapNodes(draft, ids, (node) => ({ ...node, settings: change(node.settings) }));
}
