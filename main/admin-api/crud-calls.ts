import type { z } from 'zod';
import type { StoredResources } from '../contracts.ts';
import type { Call } from './call.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, putResource, refuseTaken, refuseWhileUsed, removeResource, WORDS } from './resource-change.ts';
import { listOf, page } from './schemas.ts';

/** The families whose resources are shown as they are stored, by an id of their own. */
export type PlainFamily = 'queries' | 'scripts';

export interface CrudSpec<F extends PlainFamily> {
  family: F;
  /** Such as "named query", and several of them. */
  title: string;
  plural: string;
  schema: z.ZodType<StoredResources[F]>;
  bodyBytesMax?: number;
  /** Throws when the resource cannot be one of this project, though its form is right. */
  check?: (services: Services, project: string, resource: StoredResources[F]) => void;
}

/** List, make, read, change and delete, for one family. */
export function crudCalls<F extends PlainFamily>(spec: CrudSpec<F>): Call[] {
  const { family, title, plural, schema, check, bodyBytesMax } = spec;
  const what = WORDS[family];
  const all = `/projects/:project/${family}`;
  const one = `${all}/:${what}`;
  const size = bodyBytesMax === undefined ? {} : { bodyBytesMax };

  const found = (services: Services, context: Pick<Context<unknown, unknown>, 'param'>): StoredResources[F] =>
    resourceOf(services, context, family);

  return [
    defineCall({
      method: 'get',
      path: all,
      access: 'view',
      summary: `List ${plural}`,
      description: `Lists every ${title} of the project with its full definition.`,
      response: listOf(schema),
      handle(services, context) {
        const { id } = projectOf(services, context);
        return page(services.projects.resources.list(family, id));
      },
    }),
    defineCall({
      method: 'post',
      path: all,
      access: 'edit_pipelines',
      summary: `Create a ${title}`,
      description: `Creates a ${title}. Pipelines can use it once the reply has come.`,
      body: schema,
      ...size,
      status: 201,
      response: schema,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const resource = context.body;
        const row = { what, act: `${what}.create`, project, target: resource.id };
        await inTurn(services, context, row, async () => {
          refuseTaken(services, family, project, resource.id);
          check?.(services, project, resource);
          await putResource(services, family, project, resource);
        });
        return resource;
      },
    }),
    defineCall({
      method: 'get',
      path: one,
      access: 'view',
      summary: `Read a ${title}`,
      description: `Shows one ${title} as it is saved.`,
      response: schema,
      handle: found,
    }),
    defineCall({
      method: 'put',
      path: one,
      access: 'edit_pipelines',
      summary: `Change a ${title}`,
      description: `Replaces the definition of a ${title}. Running pipelines use the change from then on.`,
      body: schema,
      ...size,
      response: schema,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        const resource = context.body;
        if (resource.id !== id)
          throw invalid([{ path: 'id', message: `expected "${id}", the id in the path; an id cannot be changed` }]);
        await inTurn(services, context, { what, act: `${what}.change`, project, target: id }, async () => {
          found(services, context);
          check?.(services, project, resource);
          await putResource(services, family, project, resource);
        });
        return resource;
      },
    }),
    defineCall({
      method: 'delete',
      path: one,
      access: 'edit_pipelines',
      summary: `Delete a ${title}`,
      description: `Deletes a ${title}. It is refused while a running pipeline uses the ${title}.`,
      response: null,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        await inTurn(services, context, { what, act: `${what}.delete`, project, target: id }, async () => {
          found(services, context);
          refuseWhileUsed(services, family, project, [id]);
          await removeResource(services, family, project, id);
        });
        return null;
      },
    }),
  ];
}

/** The resource that the path names by its family's word; `unknown` when there is none. */
export function resourceOf<F extends PlainFamily>(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
  family: F,
): StoredResources[F] {
  const { id } = projectOf(services, context);
  const resource = services.projects.resources.get(family, id, context.param(WORDS[family]));
  if (resource === null) throw unknown(WORDS[family]);
  return resource;
}
