import type { PipelineStart } from '#common/control/messages.ts';
import { readEgressUrl } from '#common/model/egress-settings.ts';

/** A target for users: the running pipelines that send to it, and its host with the port. */
export function targetNames(running: readonly PipelineStart[], target: string): string {
  const senders = running.filter(({ definition }) =>
    definition.nodes.some(({ settings }) => sendsTo(settings, target)),
  );
  const names = [...new Set(senders.map(({ definition }) => definition.name))].toSorted();
  const address = target.replace(/^https?:\/\//, '');
  return names.length === 0 ? address : `${names.join(', ')} (${address})`;
}

function sendsTo(settings: unknown, target: string): boolean {
  const url = typeof settings === 'object' && settings !== null && 'url' in settings ? settings.url : null;
  return typeof url === 'string' && readEgressUrl(url)?.origin === target;
}
