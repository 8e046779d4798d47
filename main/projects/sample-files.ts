import { readFile } from 'node:fs/promises';
import { fieldErrors } from '#common/model/fields.ts';
import { projectFile, type ProjectFile } from '#common/model/project-file.ts';

/** Project files that come with Sluice (`docs/samples`). Without connections, because those need servers. */
const sample = (name: string): URL => new URL(`../../docs/samples/${name}.json`, import.meta.url);

/** The sample of the admin UI: it runs without other machines. */
export const SAMPLE_LINE = sample('sample-line');
/** The project of `--demo`. */
export const LINE_7 = sample('demo');
export const FILLING_LINE = sample('filling-line');

/** Throws an Error that names the invalid fields. */
export async function readProjectFile(file: URL): Promise<ProjectFile> {
  const result = projectFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (result.success) return result.data;
  const wrong = fieldErrors(result.error).map(({ path, message }) => `${path}: ${message}`);
  throw new Error(`${file.pathname} is no project file: ${wrong.join('; ')}`);
}
