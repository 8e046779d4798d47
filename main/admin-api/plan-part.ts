import type { PlannedChange } from '#common/contract/project-apply.ts';
import type { ProjectFile, SecretPlaceInFile } from '#common/model/project-file.ts';
import type { Acting, Services } from './call.ts';

/** One part of the plan of an apply (project-plan.ts): its changes in sentences, and the writes that make them. */
export interface PartPlan {
  changes: PlannedChange[];
  refused: Refusal[];
  toFillIn: SecretPlaceInFile[];
  /** Before all of `puts`, so that limits of numbers and bytes count the result. */
  removals: (() => void)[];
  puts: (() => void)[];
}

export interface Refusal {
  code: 'conflict' | 'permission_missing';
  text: string;
}

/** The input of each part of a plan. */
export interface PlanInput {
  services: Services;
  context: Acting;
  file: ProjectFile;
  isNew: boolean;
}

export function emptyPart(): PartPlan {
  return { changes: [], refused: [], toFillIn: [], removals: [], puts: [] };
}
