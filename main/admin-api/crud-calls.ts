import { z } from 'zod';
import type { DraftFamily, StoredResources } from '../contracts.ts';
import type { Call } from './call.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { activate, draftDetail, remove, type Saved, save, savedList, savedOne, withoutDraft } from './drafts.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, refuseTaken, refuseWhileUsed, WORDS } from './resource-change.ts';
import { listOf, page } from '#common/contract/records.ts';

export interface CrudSpec<F extends DraftFamily> {
  family: F;
  /** Such as "named query", and several of them. */
  title: string;
  plural: string;
  schema: z.ZodType<StoredResources[F]>;
  /** The same with `draft`. */
  saved: z.ZodType<Saved<F>>;
  bodyBytesMax?: number;
  /** Throws when the resource cannot be one of this project, though its form is right. */
  check?: (services: Services, project: string, resource: StoredResources[F]) => void | Promise<void>;
}

/** List, make, read, change and delete, for one family. */
export function crudCalls<F extends DraftFamily>(spec: CrudSpec<F>): Call[] {
  const { family, title, plural, schema, saved, check, bodyBytesMax } = spec;
  const what = WORDS[family];
  const all = `/projects/:project/${family}`;
  const one = `${all}/:${what}`;
  const size = bodyBytesMax === undefined ? {} : { bodyBytesMax };

  const found = (services: Services, context: Pick<Context<unknown, unknown>, 'param'>): Saved<F> => {
    const { id } = projectOf(services, context);
    return savedOne(services, family, id, context.param(what));
  };

  return [
    defineCall({
      method: 'get',
      path: all,
      access: 'view',
      summary: `List ${plural}`,
      description: `Lists every ${title} of the project with its full definition, as it was saved last.`,
      response: listOf(saved),
      handle(services, context) {
        const { id } = projectOf(services, context);
        return page(savedList(services, family, id));
      },
    }),
    defineCall({
      method: 'post',
      path: all,
      access: 'edit_pipelines',
      audit: [`${what}.create`],
      summary: `Create a ${title}`,
      description: `Creates a ${title}. Pipelines can use it once the reply has come, unless the reply has a \`draft\`: then somebody with the permissions that it names must activate it.`,
      body: schema,
      prepare: withoutDraft,
      ...size,
      errors: ['disk_reserve'],
      status: 201,
      response: saved,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const resource = context.body;
        const row = { what, project, target: resource.id };
        const perform = async () => {
          refuseTaken(services, family, project, resource.id);
          await check?.(services, project, resource);
          return save(services, context, { family, project, resource });
        };
        return inTurn(services, context, row, perform, draftDetail);
      },
    }),
    defineCall({
      method: 'get',
      path: one,
      access: 'view',
      summary: `Read a ${title}`,
      description: `Shows one ${title} as it was saved last.`,
      response: saved,
      handle: found,
    }),
    defineCall({
      method: 'put',
      path: one,
      access: 'edit_pipelines',
      audit: [`${what}.change`],
      summary: `Change a ${title}`,
      description: `Replaces the definition of a ${title}. Running pipelines use the change from then on, unless the reply has a \`draft\`: a change by somebody without the permissions that the pipelines of the project need is saved and waits until it is activated.`,
      body: schema,
      prepare: withoutDraft,
      ...size,
      errors: ['disk_reserve'],
      response: saved,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        const resource = context.body;
        if (resource.id !== id)
          throw invalid([{ path: 'id', message: `expected "${id}", the id in the path; an id cannot be changed` }]);
        const row = { what, project, target: id };
        const perform = async () => {
          found(services, context);
          await check?.(services, project, resource);
          return save(services, context, { family, project, resource });
        };
        return inTurn(services, context, row, perform, draftDetail);
      },
    }),
    defineCall({
      method: 'delete',
      path: one,
      access: 'edit_pipelines',
      audit: [`${what}.delete`],
      summary: `Delete a ${title}`,
      description: `Deletes a ${title}. It is refused while a running pipeline uses the ${title}, and without the permissions that changing what is in force needs.`,
      response: null,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        await inTurn(services, context, { what, project, target: id }, async () => {
          found(services, context);
          refuseWhileUsed(services, family, project, [id]);
          await remove(services, context, { family, project, id });
        });
        return null;
      },
    }),
    defineCall({
      method: 'get',
      path: `${one}/in-force`,
      access: 'view',
      summary: `Read the active version of a ${title}`,
      description: `Shows the version of a ${title} that pipelines use, beside a draft too.`,
      response: schema,
      handle(services, context) {
        const { id } = projectOf(services, context);
        const resource = services.projects.resources.get(family, id, context.param(what));
        if (resource === null) throw unknown(what);
        return resource;
      },
    }),
    defineCall({
      method: 'post',
      path: `${one}/activate`,
      access: 'run_pipelines',
      audit: [`${what}.activate`],
      summary: `Activate the draft of a ${title}`,
      description: `Activates the saved draft of a ${title}: running pipelines use it from then on. It needs \`access_settings\` too while a pipeline of the project is approved with the grant that using it needs. With \`savedAt\` it is refused if the draft was changed since.`,
      body: z.strictObject({ savedAt: z.string({ error: 'expected the time of the draft' }).optional() }),
      response: saved,
      handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        const row = { what, project, target: id };
        return inTurn(services, context, row, () =>
          activate(services, context, { family, project, id }, (draft) => check?.(services, project, draft)),
        );
      },
    }),
  ];
}

/** The resource that the path names by its family's word, as it was saved last; `unknown` when there is none. */
export function resourceOf<F extends DraftFamily>(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
  family: F,
): StoredResources[F] {
  const { id } = projectOf(services, context);
  const { resources: store } = services.projects;
  const name = context.param(WORDS[family]);
  const resource = store.draft(family, id, name)?.resource ?? store.get(family, id, name);
  if (resource === null) throw unknown(WORDS[family]);
  return resource;
}
