import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { HeldSecret, StoredPipeline } from '../contracts.ts';
import { planPipelineSecrets, type SecretPlace } from '../projects/pipeline-secrets.ts';
import { invalid, type Services } from './call.ts';
import { forget } from './forget-secrets.ts';
import { ruleBroken } from '#common/errors/rules.ts';

/**
 * Saves a draft with the secrets of its egress nodes. A new secret is written to the vault before the store refers to
 * it, and one that no revision refers to any more is removed afterwards, so that a crash in between leaves at worst an
 * unreferenced secret, which the next start removes. Must be called in the queue of the pipeline: it reads the stored
 * state.
 */
export interface Draft {
  project: string;
  definition: PipelineDefinition;
  by: string;
  /** The newest revision; null: a new pipeline. */
  before: StoredPipeline | null;
}

export interface StoredDraft {
  stored: StoredPipeline;
  /** `call.staticHeaders.Authorization`: values that should have been kept but are missing. */
  cleared: string[];
}

type Write = (definition: PipelineDefinition, secrets: readonly HeldSecret[]) => StoredPipeline;

/** Characters of the secrets in one save: the vault keeps all of them in memory. */
const SECRET_CHARS_MAX = 256 * 1024;

/** Throws SluiceError `invalid` if a secret should be kept but none is stored, and the errors of `write`. */
export async function storeDraft(
  services: Services,
  { project, definition, by, before }: Draft,
  write: Write,
): Promise<StoredDraft> {
  const { secrets } = services;
  const plan = planPipelineSecrets(definition, before, secrets);
  if (plan.missing.length > 0) throw invalid(plan.missing.map(nothingKept));
  const values = plan.fresh.map(({ value }) => String(value));
  refuseTooMuch(values, plan.fresh);
  const refs = await secrets.put(values, by, 'egress');
  const fresh = plan.fresh.map(({ node, field }, index) => ({ node, field, ref: refs[index] ?? '' }));
  try {
    const stored = await swapped(services, project, definition.id, () =>
      write(plan.definition, [...plan.kept, ...fresh]),
    );
    return { stored, cleared: plan.cleared.map(({ node, field }) => `${node}.${field}`) };
  } catch (error) {
    await forget(services, refs);
    throw error;
  }
}

/** Changes the revisions of a pipeline, and removes the secrets that none of them refers to any more. */
export async function swapped<T>(services: Services, project: string, id: string, write: () => T): Promise<T> {
  const { projects } = services;
  const before = projects.secretRefs(project, id);
  const value = write();
  const kept = before.length === 0 ? new Set() : new Set(projects.secretRefs(project, id));
  const gone = before.filter((ref) => !kept.has(ref));
  if (gone.length > 0) await forget(services, gone);
  return value;
}

function nothingKept({ path }: SecretPlace): { path: string; message: string } {
  return ruleBroken(path, 'nothing_kept');
}

function refuseTooMuch(values: readonly string[], places: readonly SecretPlace[]): void {
  let chars = 0;
  for (const [index, value] of values.entries()) {
    chars += value.length;
    if (chars <= SECRET_CHARS_MAX) continue;
    const message = `expected at most ${SECRET_CHARS_MAX} characters of header values and keys in one save`;
    throw invalid([{ path: places[index]?.path ?? '', message }]);
  }
}
