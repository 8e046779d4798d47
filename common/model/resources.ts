import type { ConnectionDefinition } from './connection.ts';
import type { LibraryScript } from './library-script.ts';
import type { NamedQuery } from './named-query.ts';
import type { TagDefinition } from './tag.ts';

/** What a project has besides pipelines, as the gateway gets it: whole, each time something of it changes. */
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
