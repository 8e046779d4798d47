import { randomUUID } from 'node:crypto';
import { phrase } from '#common/alarms/phrase.ts';
import type { RecordOf } from '#common/fleet/records.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import type { Acting, Services } from '../admin-api/call.ts';
import { performAct } from '../admin-api/acts.ts';
import { performRestriction } from '../admin-api/perform-restriction.ts';
import { applyProject, planProject } from '../admin-api/project-apply.ts';
import { start, stop } from '../admin-api/start-stop.ts';
import { withoutGateway } from '../admin-api/without-gateway.ts';
import type { Session } from '../contracts.ts';
import type { EdgeState } from './edge-state.ts';

/**
 * Puts what the hub has signed into this machine, with the code of the admin API and its journal rows. The hub has every
 * permission here except over users; it has no session that anybody else could use.
 */
const HUB_USER_ID = 'hub';

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

  /** Every step can be repeated: an apply that was cut off is done again. */
  async assign(assignment: RecordOf<'assignment'>): Promise<void> {
    const { project: file, keys, running, by } = assignment;
    const { id: project } = file.project;
    const services = this.#asHub(by);
    const context = (act: string, params: Readonly<Record<string, string>> = {}) => acting(by, act, params);
    await this.#state.claim(project, services.projects.project(project) !== null);
    await this.#dropKeys(project, new Set(keys.map(({ id }) => id)), by);
    await this.#stopOthers(services, project, new Set(running), context);
    const { digest } = await planProject(services, context('project.apply'), file);
    await applyProject(services, context('project.apply'), file, digest);
    await this.#putKeys(project, keys, by);
    await this.#start(services, project, running, context);
    await this.#state.assigned(assignment);
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
    context: (act: string, params: Readonly<Record<string, string>>) => Acting,
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
    context: (act: string, params: Readonly<Record<string, string>>) => Acting,
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
