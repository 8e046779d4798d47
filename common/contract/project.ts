import { z } from 'zod';
import { newName, projectId } from '../model/ids.ts';
import { declareCall } from './declaration.ts';
import { listOf, projectRecord } from './records.ts';

export const projectContract = {
  list: declareCall({
    method: 'get',
    path: '/projects',
    access: 'view',
    summary: 'List projects',
    description:
      'Lists all projects. A project holds pipelines, keys, connections, queries, tags, scripts, variables and files.',
    response: listOf(projectRecord),
  }),
  create: declareCall({
    method: 'post',
    path: '/projects',
    access: 'edit_pipelines',
    audit: ['project.create'],
    summary: 'Create a project',
    description:
      'Creates an empty project. Its id is part of the paths of all its resources and cannot be changed later.',
    body: z.strictObject({ id: projectId, name: newName }),
    status: 201,
    response: projectRecord,
  }),
  read: declareCall({
    method: 'get',
    path: '/projects/:project',
    access: 'view',
    summary: 'Read a project',
    description: 'Shows id, name and creation time of one project.',
    response: projectRecord,
  }),
  change: declareCall({
    method: 'patch',
    path: '/projects/:project',
    access: 'edit_pipelines',
    audit: ['project.change'],
    summary: 'Rename a project',
    description: 'Changes the display name. The id stays as it is.',
    body: z.strictObject({ name: newName }),
    response: projectRecord,
  }),
  remove: declareCall({
    method: 'delete',
    path: '/projects/:project',
    access: ['edit_pipelines', 'access_settings'],
    audit: ['project.delete'],
    summary: 'Delete a project',
    description:
      'Deletes the project with its pipelines, connections, queries, tags, scripts, variables and files. It is refused while one of its pipelines runs or one of its keys is valid.',
    response: null,
  }),
};
