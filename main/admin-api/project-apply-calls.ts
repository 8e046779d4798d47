import { projectApplyContract } from '#common/contract/project-apply.ts';
import type { ProjectFile } from '#common/model/project-file.ts';
import { projectId } from '#common/model/ids.ts';
import { checked, type Context, defineCall } from './call.ts';
import { applyProject, planProject } from './project-apply.ts';

/** A project as code: plan and apply. The project in the path counts, so that one file serves several projects. */
export const projectApplyCalls = [
  defineCall(projectApplyContract.plan, {
    async handle(services, context) {
      const { digest, changes, refused, toFillIn } = await planProject(services, context, fileFor(context));
      return { digest, changes, refused, toFillIn };
    },
  }),
  defineCall(projectApplyContract.apply, {
    handle: (services, context) => applyProject(services, context, fileFor(context), context.body.digest),
  }),
];

function fileFor({ body: { file }, param }: Context<unknown, { file: ProjectFile }>): ProjectFile {
  const id = checked(projectId, param('project'));
  return { ...file, leftOut: [], project: { ...file.project, id } };
}
