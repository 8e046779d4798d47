import type { ConnectionDefinition } from './connection.ts';
import type { LibraryScript } from './library-script.ts';
import type { NamedQuery } from './named-query.ts';
import type { TagDefinition } from './tag.ts';

/** Resources of a project except pipelines, as the gateway receives them: the complete set, whenever one changes. */
export interface ProjectResources {
  project: string;
  connections: ConnectionDefinition[];
  queries: NamedQuery[];
  tags: TagDefinition[];
  scripts: LibraryScript[];
}

export const NO_RESOURCES = (project: string): ProjectResources => ({
  project,
  connections: [],
  queries: [],
  tags: [],
  scripts: [],
});
