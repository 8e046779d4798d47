import { projectApplyContract } from '#common/contract/project-apply.ts';
import type { ProjectFile } from '#common/model/project-file.ts';
import { projectId } from '#common/model/ids.ts';
import { checked, type Context, defineCall, type Services } from './call.ts';
import { applyProject, planProject } from './project-apply.ts';

/** A project as code: plan and apply. The project in the path counts, so that one file serves several projects. */
export const projectApplyCalls = [
  defineCall(projectApplyContract.plan, {
    async handle(services, context) {
      const { digest, changes, refused, toFillIn } = await planProject(services, context, fileFor(services, context));
      return { digest, changes, refused, toFillIn };
    },
  }),
  defineCall(projectApplyContract.apply, {
    handle: (services, context) => applyProject(services, context, fileFor(services, context), context.body.digest),
  }),
];

/** A file of another project changes no name: one file serves many lines. */
function fileFor(services: Services, { body: { file }, param }: Context<unknown, { file: ProjectFile }>): ProjectFile {
  const id = checked(projectId, param('project'));
  const name = file.project.id === id ? file.project.name : (services.projects.project(id)?.name ?? id);
  return { ...file, leftOut: [], project: { id, name } };
}
