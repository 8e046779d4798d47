import { SluiceError } from '#common/errors/catalogue.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import { readProjectFile, SAMPLE_LINE } from '../projects/sample-files.ts';
import type { Context, Services } from './call.ts';
import { importProject } from './project-import.ts';
import { start } from './start-stop.ts';

/** The outcome of the sample project's pipelines. */
export interface SampleProject {
  project: ProjectRecord;
  started: string[];
  notStarted: { pipeline: string; reason: string }[];
}

/**
 * The sample project, as an import; then each pipeline is started by the rules of every start. A pipeline whose start
 * is refused (a public route or a grant that this user may not approve, a gateway that is down) stays stopped.
 */
export async function makeSampleProject(
  services: Services,
  context: Context<undefined, undefined>,
): Promise<SampleProject> {
  const file = await readProjectFile(SAMPLE_LINE);
  const { project } = await importProject(services, context, file);
  const made: SampleProject = { project, started: [], notStarted: [] };
  const mayStart = context.session.permissions.has('run_pipelines');
  for (const { id } of file.pipelines) {
    const reason = mayStart
      ? await refusalOf(() => startOne(services, context, project.id, id))
      : 'Starting needs the permission run_pipelines.';
    if (reason === null) made.started.push(id);
    else made.notStarted.push({ pipeline: id, reason });
  }
  return made;
}

function startOne(services: Services, context: Context<undefined, undefined>, project: string, pipeline: string) {
  const names = new Map([
    ['project', project],
    ['pipeline', pipeline],
  ]);
  return start(services, { ...context, body: {}, param: (name) => names.get(name) ?? '' });
}

/** Null: started. Only errors that are meant for the caller are a reason; others are thrown. */
async function refusalOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof SluiceError) return error.message;
    throw error;
  }
}
