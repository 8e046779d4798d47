import { z } from 'zod';
import { PERMISSIONS } from '../model/records.ts';
import { BODY_BYTES_MAX, declareCall } from './declaration.ts';
import { listOf } from './records.ts';

/** The field that the saved form of a library script or named query has in addition to its definition. */
export const draftField = {
  draft: z
    .strictObject({ savedAt: z.iso.datetime(), savedBy: z.string(), needs: z.array(z.enum(PERMISSIONS)) })
    .optional()
    .meta({
      description:
        'There while this is saved but not in force: pipelines use the version before, or fail if there is none. `needs` lists the permissions that `activate` needs. Ignored when it is sent.',
    }),
};

interface Drafted<F extends string, W extends string, T, S> {
  /** The path segment, such as `queries`. */
  readonly family: F;
  /** The path parameter and the prefix of the audited actions, such as `query`. */
  readonly what: W;
  /** Singular and plural, such as "named query". */
  readonly title: string;
  readonly plural: string;
  readonly schema: z.ZodType<T>;
  /** The same with `draft`. */
  readonly saved: z.ZodType<S>;
  readonly bodyBytesMax?: number;
}

/** List, create, read, update, delete and activate, for one type of resource that is saved as a draft. */
export function draftedContract<const F extends string, const W extends string, T, S>(drafted: Drafted<F, W, T, S>) {
  const { family, what, title, plural, schema, saved, bodyBytesMax = BODY_BYTES_MAX } = drafted;
  const all = `/projects/:project/${family}` as const;
  const one = `${all}/:${what}` as const;
  return {
    list: declareCall({
      method: 'get',
      path: all,
      access: 'view',
      summary: `List ${plural}`,
      description: `Lists every ${title} of the project with its full definition, as it was saved last.`,
      response: listOf(saved),
    }),
    create: declareCall({
      method: 'post',
      path: all,
      access: 'edit_pipelines',
      audit: [`${what}.create`],
      summary: `Create a ${title}`,
      description: `Creates a ${title}. Pipelines can use it once the reply has come, unless the reply has a \`draft\`: then somebody with the permissions that it names must activate it.`,
      body: schema,
      bodyBytesMax,
      errors: ['disk_reserve'],
      status: 201,
      response: saved,
    }),
    read: declareCall({
      method: 'get',
      path: one,
      access: 'view',
      summary: `Read a ${title}`,
      description: `Shows one ${title} as it was saved last.`,
      response: saved,
    }),
    change: declareCall({
      method: 'put',
      path: one,
      access: 'edit_pipelines',
      audit: [`${what}.change`],
      summary: `Change a ${title}`,
      description: `Replaces the definition of a ${title}. Running pipelines use the change from then on, unless the reply has a \`draft\`: a change by somebody without the permissions that the pipelines of the project need is saved and waits until it is activated.`,
      body: schema,
      bodyBytesMax,
      errors: ['disk_reserve'],
      response: saved,
    }),
    remove: declareCall({
      method: 'delete',
      path: one,
      access: 'edit_pipelines',
      audit: [`${what}.delete`],
      summary: `Delete a ${title}`,
      description: `Deletes a ${title}. It is refused while a running pipeline uses the ${title}, and without the permissions that changing what is in force needs.`,
      response: null,
    }),
    inForce: declareCall({
      method: 'get',
      path: `${one}/in-force`,
      access: 'view',
      summary: `Read the active version of a ${title}`,
      description: `Shows the version of a ${title} that pipelines use, beside a draft too.`,
      response: schema,
    }),
    activate: declareCall({
      method: 'post',
      path: `${one}/activate`,
      access: 'run_pipelines',
      audit: [`${what}.activate`],
      summary: `Activate the draft of a ${title}`,
      description: `Activates the saved draft of a ${title}: running pipelines use it from then on. It needs \`access_settings\` too while a pipeline of the project is approved with the grant that using it needs. With \`savedAt\` it is refused if the draft was changed since.`,
      body: z.strictObject({ savedAt: z.string({ error: 'expected the time of the draft' }).optional() }),
      response: saved,
    }),
  };
}
