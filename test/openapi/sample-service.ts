import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFile } from '#common/model/project-file.ts';
import { SCOPES } from '#common/scopes.ts';
import { ROOT } from '#test/paths.ts';
import { startService, type TestService } from '#test/service.ts';

/** The projects of `docs/samples`, by the name of their file. */
const SAMPLES = ['demo', 'filling-line', 'sample-line'] as const;

/** One OpenAPI document as served, and a key that can call its routes (null: the admin API). */
export interface ServedDocument {
  readonly name: string;
  readonly text: string;
  readonly key: string | null;
}

export interface SampleService extends AsyncDisposable {
  readonly service: TestService;
  readonly documents: readonly ServedDocument[];
}

/** A service with every sample project imported and each of its pipelines started. */
export async function startSamples(): Promise<SampleService> {
  const service = await startService();
  await service.setUp();
  const documents: ServedDocument[] = [{ name: 'admin', text: await textOf(service, '/openapi.json'), key: null }];
  for (const name of SAMPLES) documents.push(await addSample(service, name));
  return { service, documents, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

async function addSample({ admin, ...service }: TestService, name: string): Promise<ServedDocument> {
  const file = projectFile.parse(JSON.parse(await readFile(join(ROOT, 'docs', 'samples', `${name}.json`), 'utf8')));
  const { id } = file.project;
  await admin.ok('POST', '/projects/import', { file });
  for (const pipeline of file.pipelines) await admin.ok('POST', `/projects/${id}/pipelines/${pipeline.id}/start`, {});
  const { key } = await admin.ok<{ key: string }>('POST', `/projects/${id}/keys`, { name: 'Client', scopes: SCOPES });
  return { name, text: await textOf({ admin, ...service }, `/projects/${id}/openapi.json`), key };
}

/** As its users receive it: the bytes of the reply. */
async function textOf({ admin }: TestService, path: string): Promise<string> {
  return `${JSON.stringify(await admin.ok('GET', path), null, 2)}\n`;
}
