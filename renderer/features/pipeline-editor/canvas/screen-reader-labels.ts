import type { TFunction } from 'i18next';
import { nameOf, type Draft } from '../model/draft.ts';
import { wiresFrom, wiresTo } from '../model/flow-order.ts';
import type { NodeView } from '../model/node-view.ts';
import { ERROR_PORT, type Kinds } from '../model/ports.ts';
import { kindLine } from './choice-words.ts';

/** "Insert order, Run named query, 2 of 8, 1 warning, in from To row, out to Reply 201 and Tell ERP, error to Reply 503". */
export function sentenceOf(t: TFunction, view: NodeView, draft: Draft, kinds: Kinds): string {
  const { node, rank, of } = view;
  return [
    node.name ?? node.id,
    view.title === null ? t('editor.missingKind', { kind: node.kind }) : kindLine(t, view.title, view.mode),
    t('editor.spoken.rank', { rank, of }),
    view.change === null ? '' : t(`editor.change.${view.change}`),
    node.off === true ? t('editor.spoken.off') : '',
    view.worst === null ? '' : t(`editor.spoken.${view.worst}`, { count: view.problems }),
    ...wirePhrases(t, view, draft, kinds),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function wirePhrases(t: TFunction, { node, placed }: NodeView, draft: Draft, kinds: Kinds): string[] {
  const names = (ids: readonly string[]) =>
    list(
      t,
      [...new Set(ids)].map((id) => nameOf(draft, id)),
    );
  const from = wiresTo(draft, node.id).map((wire) => wire.from);
  const out = wiresFrom(draft, node.id, kinds);
  const byPort = placed.outs.map((port) => [port, out.filter((wire) => wire.port === port)] as const);
  const failed = out.filter((wire) => wire.port === ERROR_PORT);
  return [
    from.length > 0 ? t('editor.spoken.inFrom', { names: names(from) }) : '',
    ...byPort
      .filter(([, wires]) => wires.length > 0)
      .map(([port, wires]) => t('editor.spoken.outTo', { port, names: names(wires.map((wire) => wire.to)) })),
    failed.length > 0 ? t('editor.spoken.errorTo', { names: names(failed.map((wire) => wire.to)) }) : '',
  ];
}

function list(t: TFunction, names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return t('editor.spoken.and', { first: names.slice(0, -1).join(', '), last: names.at(-1) });
}
