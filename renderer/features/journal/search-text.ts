import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { JournalFilter } from '#api/queries.ts';

/** One box for three questions: an error code, a route (it starts with "/"), or else a request id. */
export function filterOf(text: string): JournalFilter {
  const asked = text.trim();
  if (asked === '') return {};
  if (asked.startsWith('/')) return { route: asked };
  if (Object.hasOwn(CATALOGUE, asked)) return { code: asked };
  return { requestId: asked };
}
