import type { draftedContract } from '#common/contract/drafted.ts';
import type { DraftFamily, StoredResources } from '../contracts.ts';
import type { Call } from './call.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { activate, draftDetail, remove, type Saved, save, savedList, savedOne, withoutDraft } from './drafts.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, refuseTaken, refuseWhileUsed, WORDS } from './resource-change.ts';
import { page } from '#common/contract/records.ts';
import { ruleBroken } from '#common/errors/rules.ts';

export interface CrudSpec<F extends DraftFamily> {
  family: F;
  contract: DraftedContract<F>;
  /** Throws if the resource is not allowed in this project although its fields are valid. */
  check?: (services: Services, project: string, resource: StoredResources[F]) => void | Promise<void>;
}

type DraftedContract<F extends DraftFamily> = ReturnType<
  typeof draftedContract<F, (typeof WORDS)[F], StoredResources[F], Saved<F>>
>;

/** List, create, read, update, delete and activate, for one type of resource. */
export function crudCalls<F extends DraftFamily>({ family, contract, check }: CrudSpec<F>): Call[] {
  const what = WORDS[family];

  const found = (services: Services, context: Pick<Context<unknown, unknown>, 'param'>): Saved<F> => {
    const { id } = projectOf(services, context);
    return savedOne(services, family, id, context.param(what));
  };

  return [
    defineCall(contract.list, {
      handle(services, context) {
        const { id } = projectOf(services, context);
        return page(savedList(services, family, id));
      },
    }),
    defineCall(contract.create, {
      prepare: withoutDraft,
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
    defineCall(contract.read, {
      handle: found,
    }),
    defineCall(contract.change, {
      prepare: withoutDraft,
      async handle(services, context) {
        const { id: project } = projectOf(services, context);
        const { id } = found(services, context);
        const resource = context.body;
        if (resource.id !== id) throw invalid([ruleBroken('id', 'id_fixed', { id })]);
        const row = { what, project, target: id };
        const perform = async () => {
          found(services, context);
          await check?.(services, project, resource);
          return save(services, context, { family, project, resource });
        };
        return inTurn(services, context, row, perform, draftDetail);
      },
    }),
    defineCall(contract.remove, {
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
    defineCall(contract.inForce, {
      handle(services, context) {
        const { id } = projectOf(services, context);
        const resource = services.projects.resources.get(family, id, context.param(what));
        if (resource === null) throw unknown(what);
        return resource;
      },
    }),
    defineCall(contract.activate, {
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

/** The last saved version of the resource in the path; throws `unknown` if there is none. */
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
