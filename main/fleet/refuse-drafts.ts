import { SluiceError } from '#common/errors/catalogue.ts';
import type { StoredPipeline } from '../contracts.ts';

type Running = Pick<StoredPipeline, 'revision' | 'wantedRevision'> & { readonly definition: { readonly id: string } };
interface Draft {
  readonly resource: { readonly id: string };
}

/**
 * An edge starts an assignment with the permissions of an administrator. So it must not get a version that is not in
 * force on the hub: perhaps nobody has approved it. Throws SluiceError `conflict`, which names the first one.
 */
export function refuseDrafts(running: readonly Running[], queries: readonly Draft[], scripts: readonly Draft[]): void {
  for (const { definition, revision, wantedRevision } of running)
    if (revision !== wantedRevision)
      throw conflict(
        `The pipeline ${definition.id} runs in revision ${wantedRevision}, and ${revision} is the newest; start that one or restore the other, then assign again.`,
      );
  for (const [word, drafts] of [
    ['query', queries],
    ['script', scripts],
  ] as const)
    for (const { resource } of drafts)
      throw conflict(`The ${word} ${resource.id} has a draft that is not in force; activate it, then assign again.`);
}

function conflict(sentence: string): SluiceError {
  return new SluiceError('conflict', sentence);
}
