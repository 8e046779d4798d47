import { randomUUID } from 'node:crypto';
import { phrase } from '#common/alarms/phrase.ts';
import type { RecordOf } from '#common/fleet/records.ts';
import { withoutWidening } from '#common/model/key-limits.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import type { Acting, Services } from '../admin-api/call.ts';
import { performAct } from '../admin-api/acts.ts';
import { performRestriction } from '../admin-api/perform-restriction.ts';
import { applyProject, planProject } from '../admin-api/project-apply.ts';
import { start, stop } from '../admin-api/start-stop.ts';
import { withoutGateway } from '../admin-api/without-gateway.ts';
import { limitsDetail } from '../vault/limits-detail.ts';
import type { Session } from '../contracts.ts';
import type { EdgeState } from './edge-state.ts';

/**
 * Puts what the hub has signed into this machine, with the code of the admin API and its journal rows. The hub has every
 * permission here except over users; it has no session that anybody else could use.
 */
const HUB_USER_ID = 'hub';
/** No user of the hub has caused it. */
const BY_EDGE = 'roll-back';

export class Applier {
  readonly #services: Services;
  readonly #state: EdgeState;

  constructor(services: Services, state: EdgeState) {
    this.#services = services;
    this.#state = state;
  }

  /** Resolves when gateway and vault have it. A key that is not of the fleet is never touched. */
  async revoke({ serial, keyId, by }: RecordOf<'revocation'>): Promise<void> {
    const { keys } = this.#services;
    const key = keys.get(keyId);
    if (key !== null && keys.entry(keyId)?.ofFleet === true && key.revokedAt === null) await this.#revoke(keyId, by);
    await this.#state.revoked(serial, keyId);
  }

  /** Resolves when gateway and vault have the limits. In force first, as a revocation. */
  async limit({ serial, keyId, limits, by }: RecordOf<'limits'>): Promise<void> {
    const { keys, gateway, hub } = this.#services;
    const save = () => this.#state.limited(serial, keyId, limits);
    const key = keys.get(keyId);
    if (key === null || key.revokedAt !== null || keys.entry(keyId)?.ofFleet !== true) return save();
    await withoutGateway(() => gateway.change({ kind: 'key-limits', keyId, limits }));
    const { project, name } = key;
    const detail = limitsDetail(key.limits, limits);
    const row = { act: 'key.limit', project, target: keyId, keyId, keyName: name, detail };
    await performAct(this.#services, { who: whoOf(by) }, row, save);
    hub.publish({ kind: 'changed', what: 'key', project });
  }

  /** Only takes rights, and counts nothing: for a change that is behind one that cannot be saved now. */
  async narrow(record: RecordOf<'revocation'> | RecordOf<'limits'>): Promise<void> {
    const { keys, gateway } = this.#services;
    const { keyId, by } = record;
    const key = keys.get(keyId);
    if (key === null || key.revokedAt !== null || keys.entry(keyId)?.ofFleet !== true) return;
    if (!('limits' in record)) return this.#revoke(keyId, by);
    const limits = withoutWidening(key.limits, record.limits);
    await withoutGateway(() => gateway.change({ kind: 'key-limits', keyId, limits }));
  }

  /**
   * Every step can be repeated: an interrupted apply is repeated. Keys are added last, so that a failed assignment adds
   * none. `record`: the signed bytes.
   */
  async assign(assignment: RecordOf<'assignment'>, record: Uint8Array): Promise<void> {
    const { project: file, keys, by } = assignment;
    const { id: project } = file.project;
    await this.#state.claim(project, this.#services.projects.project(project) !== null);
    this.#state.checkKeys(project, keys);
    await this.#dropKeys(project, new Set(keys.map(({ id }) => id)), by);
    await this.#run(assignment);
    await this.#putKeys(project, keys, by);
    await this.#state.assigned(assignment, record);
  }

  /**
   * After an assignment that failed: applies the previous one again, or stops the project if there was none.
   * Every step can be repeated. Resolves with a sentence about it.
   */
  async restore(last: RecordOf<'assignment'> | null): Promise<string> {
    if (last !== null) {
      const missing = await this.#run(last);
      const note = `Assignment ${last.epoch} is in force again.`;
      return missing === 0 ? note : `${note} Secrets that are missing: ${missing}; enter them on this edge.`;
    }
    const { project } = this.#state.read();
    if (project !== null && this.#services.projects.project(project) === null) {
      await this.#state.unclaim();
      return 'There was no assignment before it, and the project was not made.';
    }
    if (project !== null) await this.#stopOthers(this.#asHub(BY_EDGE), project, new Set(), contextOf(BY_EDGE));
    return 'There was no previous assignment, so the pipelines of the project are stopped.';
  }

  /** Replaces the project with that of the assignment. Resolves with the number of missing secrets. */
  async #run({ project: file, running, by }: RecordOf<'assignment'>): Promise<number> {
    const { id: project } = file.project;
    const services = this.#asHub(by);
    const context = contextOf(by);
    await this.#stopOthers(services, project, new Set(running), context);
    const { digest } = await planProject(services, context('project.apply'), file);
    const { toFillIn } = await applyProject(services, context('project.apply'), file, digest);
    await this.#start(services, project, running, context);
    return toFillIn.length;
  }

  async #putKeys(project: string, keys: RecordOf<'assignment'>['keys'], by: string): Promise<void> {
    const known = new Set(this.#services.keys.list(project).map(({ id }) => id));
    const put = async () => {
      for (const id of await this.#state.putKeys(project, keys)) {
        const entry = this.#services.keys.entry(id);
        if (entry) await withoutGateway(() => this.#services.gateway.change({ kind: 'key', key: entry }));
      }
    };
    const added = keys.filter(({ id }) => !known.has(id));
    if (added.length === 0) return put();
    const detail = `from the hub: ${added.map(({ id }) => id).join(', ')}`.slice(0, 8_000);
    const row = { act: 'key.create', project, target: project, detail };
    await performAct(this.#services, { who: whoOf(by) }, row, put);
    this.#services.hub.publish({ kind: 'changed', what: 'key', project });
  }

  /** Keys of the fleet in the project that the hub does not assign any more. */
  async #dropKeys(project: string, kept: ReadonlySet<string>, by: string): Promise<void> {
    const { keys } = this.#services;
    for (const { id, revokedAt } of keys.list(project))
      if (revokedAt === null && !kept.has(id) && keys.entry(id)?.ofFleet === true) await this.#revoke(id, by);
  }

  async #revoke(keyId: string, by: string): Promise<void> {
    const { keys } = this.#services;
    const key = keys.get(keyId);
    if (key === null) return;
    const { project, name } = key;
    const row = { act: 'key.revoke', project, target: keyId, keyId, keyName: name };
    const change = { kind: 'key', project, key: keyId, by: `hub: ${by}` } as const;
    await performRestriction(
      this.#services,
      { who: whoOf(by), acts: ['key.revoke'] },
      row,
      change,
      phrase('key_revoked', { key: name, project }),
    );
    this.#services.hub.publish({ kind: 'changed', what: 'key', project });
  }

  async #stopOthers(
    services: Services,
    project: string,
    running: ReadonlySet<string>,
    context: ReturnType<typeof contextOf>,
  ): Promise<void> {
    if (services.projects.project(project) === null) return;
    for (const { definition, wantedRevision } of services.projects.pipelines(project))
      if (wantedRevision !== null && !running.has(definition.id))
        await stop(services, context('pipeline.stop', { project, pipeline: definition.id }));
  }

  async #start(
    services: Services,
    project: string,
    running: readonly string[],
    context: ReturnType<typeof contextOf>,
  ): Promise<void> {
    for (const pipeline of running) {
      const stored = services.projects.pipeline(project, pipeline);
      if (stored === null || stored.wantedRevision === stored.revision) continue;
      const acted = context('pipeline.start', { project, pipeline });
      await start(services, { ...acted, query: undefined, body: {} });
    }
  }

  #asHub(by: string): Services {
    const session = hubSession(by);
    return { ...this.#services, people: { ...this.#services.people, session: () => session } };
  }
}

function contextOf(by: string) {
  return (act: string, params: Readonly<Record<string, string>> = {}): Acting => acting(by, act, params);
}

function whoOf(by: string): Acting['who'] {
  return { requestId: randomUUID(), user: `hub: ${by}` };
}

function acting(by: string, act: string, params: Readonly<Record<string, string>>): Acting {
  return {
    requestId: randomUUID(),
    ip: '',
    credential: '',
    session: hubSession(by),
    query: undefined,
    body: undefined,
    param: (name) => params[name] ?? '',
    who: { ...whoOf(by), act },
    acts: [act],
  };
}

function hubSession(by: string): Session {
  const at = new Date().toISOString();
  return {
    user: { id: HUB_USER_ID, name: `hub: ${by}`, roles: [], active: true, createdAt: at, lastLoginAt: null },
    permissions: new Set(PERMISSIONS.filter((permission) => permission !== 'manage_users')),
    csrfToken: '',
    expiresAt: at,
  };
}
