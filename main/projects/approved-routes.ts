import type { DatabaseSync } from 'node:sqlite';
import { type Ingress, ingressNodes, isSamePath, readIngress } from '#common/model/ingress-routes.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';

/**
 * The last approved routes. They outlive their pipeline, so that a deleted pipeline that is created again has no wider
 * access; they are removed with their project. Only a start with `access_settings` adds one.
 */
export const APPROVED_ROUTES_MAX = 10_000;

export interface ApprovedRoutes {
  /** The approved routes of all projects, or of one. */
  all(project?: string): Ingress[];
  /** Replaces earlier approvals of the same routes, in any project. Beyond the limit, the oldest are removed. */
  remember(project: string, definition: PipelineDefinition): void;
}

export function createApprovedRoutes(db: DatabaseSync): ApprovedRoutes {
  const rows = (project: string | null) =>
    db
      .prepare('SELECT rowid AS row, settings FROM approved_routes WHERE ?1 IS NULL OR project = ?1 ORDER BY rowid')
      .all(project);
  const read = (project: string | null = null): { row: number; route: Ingress }[] =>
    rows(project).flatMap(({ row, settings }) => {
      const route = readIngress('', JSON.parse(String(settings)));
      return route === null ? [] : [{ row: Number(row), route }];
    });
  return {
    all: (project) => read(project ?? null).map(({ route }) => route),
    remember(project, definition) {
      const fresh = ingressNodes(definition).nodes;
      const isReplaced = (old: Ingress): boolean =>
        fresh.some(
          (node) => isSamePath(node, old) && (node.route.method === '*' || node.route.method === old.route.method),
        );
      const remove = db.prepare('DELETE FROM approved_routes WHERE rowid = ?');
      for (const { row, route } of read()) if (isReplaced(route)) remove.run(row);
      const insert = db.prepare('INSERT INTO approved_routes (project, settings) VALUES (?, ?)');
      for (const { id } of fresh) {
        const node = definition.nodes.find((one) => one.id === id);
        insert.run(project, JSON.stringify(node?.settings));
      }
      const beyond =
        'DELETE FROM approved_routes WHERE rowid NOT IN (SELECT rowid FROM approved_routes ORDER BY rowid DESC LIMIT ?)';
      db.prepare(beyond).run(APPROVED_ROUTES_MAX);
    },
  };
}
